package schema_test

import (
	"testing"

	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/sqlite"
)

func TestUpTwiceAndOnWhatIsClosed(t *testing.T) {
	eng, err := sqlite.Open(t.Context(), "memory:schema")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := schema.Up(t.Context(), eng.DB()); err != nil {
			t.Fatal(err)
		}
	}
	var tables int
	err = eng.DB().QueryRowContext(t.Context(),
		`SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('actions', 'plans', 'jobs')`).Scan(&tables)
	if err != nil || tables != 3 {
		t.Errorf("%d tables, %v", tables, err)
	}
	if err := eng.Close(); err != nil {
		t.Fatal(err)
	}
	if err := schema.Up(t.Context(), eng.DB()); err == nil {
		t.Error("a closed database was migrated")
	}
	if err := schema.Up(t.Context(), nil); err == nil {
		t.Error("no database was migrated")
	}
}
