// Package several has a message handler whose client's options say that each message is
// handled in a goroutine of its own.
package several

import mqtt "github.com/eclipse/paho.mqtt.golang"

func connectBad() {
	seen := make(map[string]bool)
	c := mqtt.NewClient(mqtt.NewClientOptions().SetOrderMatters(false))
	c.Subscribe("a", 0, func(_ mqtt.Client, m mqtt.Message) {
		seen[m.Topic()] = true // want `seen is written`
	})
}
