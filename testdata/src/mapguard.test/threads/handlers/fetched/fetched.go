// Package fetched has a message handler whose client's options another function gives: they may
// say that each message is handled in a goroutine of its own.
package fetched

import mqtt "github.com/eclipse/paho.mqtt.golang"

func connectBad(o *mqtt.ClientOptions) {
	seen := make(map[string]bool)
	mqtt.NewClient(o).Subscribe("a", 0, func(_ mqtt.Client, m mqtt.Message) {
		seen[m.Topic()] = true // want `seen is written`
	})
}
