package gclplugin

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer"
)

// A setting stores a value in the analyzer's configuration, or says what it
// must be.
type setting func(cfg *analyzer.Config, value any) error

// settings are all that there are, by their key. They have the names and the
// meaning of the analyzer's flags.
func settings() map[string]setting {
	return map[string]setting{
		"confidence": func(cfg *analyzer.Config, value any) error {
			s, _ := value.(string)
			if analyzer.New(analyzer.Config{}).Flags.Set("confidence", s) != nil {
				return errors.New("it must be low, medium or high")
			}
			cfg.Confidence = s
			return nil
		},
		"config": func(cfg *analyzer.Config, value any) error {
			s, ok := value.(string)
			if !ok || s == "" {
				return errors.New("it must be the name of a file, or none")
			}
			cfg.File = s
			return nil
		},
		"only":  categories(func(cfg *analyzer.Config) *[]string { return &cfg.Only }),
		"skip":  categories(func(cfg *analyzer.Config) *[]string { return &cfg.Skip }),
		"std":   boolean(func(cfg *analyzer.Config) *bool { return &cfg.Std }),
		"tests": boolean(func(cfg *analyzer.Config) *bool { return &cfg.Tests }),
	}
}

func boolean(field func(*analyzer.Config) *bool) setting {
	return func(cfg *analyzer.Config, value any) error {
		b, ok := value.(bool)
		if !ok {
			return errors.New("it must be true or false, without quotes")
		}
		*field(cfg) = b
		return nil
	}
}

// categories takes a list, or a text with commas as the flag does.
func categories(field func(*analyzer.Config) *[]string) setting {
	return func(cfg *analyzer.Config, value any) error {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		var out analyzer.Categories
		for _, item := range list {
			s, _ := item.(string)
			if err := out.Set(s); err != nil {
				return err
			}
		}
		*field(cfg) = out
		return nil
	}
}

// decode reads the settings strictly: a misspelt key would otherwise leave a
// gate open that its user believes closed. All that is wrong is told at once,
// on one line.
func decode(raw any) (analyzer.Config, error) {
	// golangci-lint applies nolint comments itself.
	cfg := analyzer.Config{LeaveNolint: true}
	if raw == nil {
		return cfg, nil
	}
	values, ok := raw.(map[string]any)
	if !ok {
		return cfg, fmt.Errorf("%s has %s for settings: they must be keys with values, such as confidence: high", Name, show(raw))
	}
	known := settings()
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		set, ok := known[key]
		if !ok {
			keys := slices.Sorted(maps.Keys(known))
			wrong = append(wrong, fmt.Sprintf("%s has no setting %q: it takes %s", Name, key, strings.Join(keys, ", ")))
			continue
		}
		if err := set(&cfg, values[key]); err != nil {
			wrong = append(wrong, fmt.Sprintf("%s has setting %s: %s: %v", Name, key, show(values[key]), err))
		}
	}
	if len(wrong) > 0 {
		return cfg, errors.New(strings.Join(wrong, "; "))
	}
	return cfg, nil
}

// show returns a value as a user knows it from the configuration.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "nothing"
	case string:
		return fmt.Sprintf("%q", v)
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(v)
	case []any:
		return "a list"
	case map[string]any:
		return "keys with values"
	}
	return fmt.Sprintf("a %T", value)
}
