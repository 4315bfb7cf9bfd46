// Asks the Go library of Standard Webhooks whether a delivery is genuine: {"secret": …, "headers": {…}, "body": …} on standard input.
// Exit code 0: it is; 3: it is refused.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type delivery struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func main() {
	var given delivery
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		log.Fatal(err)
	}
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	webhook, err := standardwebhooks.NewWebhook(given.Secret)
	if err != nil {
		log.Fatal(err)
	}
	if err := webhook.Verify([]byte(given.Body), headers); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
}
