package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const webhookTolerance = 5 * time.Minute

// Event is what every event has. Its type, such as [*DocketFilingEvent], says what its data is.
type Event interface {
	GetId() string
	GetTimestamp() time.Time
	GetEvent() string
}

// Webhook is one whose signature holds. It may come twice: pass over an ID that you have had.
type Webhook struct {
	ID string
	// Sandbox tells that the case runs by a clock of its own.
	Sandbox bool
	// Event is the model of its kind; for a kind that this client does not know, and for tests, a [*WebhookEvent].
	Event Event
}

// WebhookError is a request that is no webhook of the platform, or not one of now: answer it with 401 and do nothing else.
type WebhookError struct {
	// Problem is headers (missing or malformed), time, signature or body.
	Problem string
}

func (e *WebhookError) Error() string {
	return "webhook refused: " + e.Problem
}

// WebhookVerifier verifies what is posted to a URL.
type WebhookVerifier struct {
	keys [][]byte
	// Tolerance is how far the time of signing may be off; five minutes unless it is changed.
	Tolerance time.Duration
	// Clock is [time.Now] unless it is changed.
	Clock func() time.Time
}

// NewWebhookVerifier takes the secrets of the URL (whsec_…): during a rotation both. It fails where one is no secret, or there is none.
func NewWebhookVerifier(secrets ...string) (*WebhookVerifier, error) {
	verifier := &WebhookVerifier{Tolerance: webhookTolerance, Clock: time.Now}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("a secret of a webhook URL reads whsec_ and base64")
		}
		verifier.keys = append(verifier.keys, key)
	}
	if len(secrets) == 0 {
		return nil, errors.New("a verifier needs a secret")
	}
	return verifier, nil
}

// Verify is the webhook of a request, of whose body it takes the bytes as they came; else the error is a [*WebhookError].
func (v *WebhookVerifier) Verify(header http.Header, body []byte) (*Webhook, error) {
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || id == "" || signatures == "" {
		return nil, &WebhookError{"headers"}
	}
	if v.Clock().Sub(time.Unix(int64(seconds), 0)).Abs() > v.Tolerance {
		return nil, &WebhookError{"time"}
	}
	if !v.signed(id, timestamp, body, strings.Split(signatures, " ")) {
		return nil, &WebhookError{"signature"}
	}
	event, err := readEvent(body)
	if err != nil || event.GetId() != id {
		return nil, &WebhookError{"body"}
	}
	return &Webhook{ID: id, Sandbox: header.Get("webhook-sandbox") == "true", Event: event}, nil
}

func (v *WebhookVerifier) signed(id, timestamp string, body []byte, signatures []string) bool {
	holds := false
	for _, key := range v.keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, one := range signatures {
			// All are compared, so that the time taken does not say which one was nearly right.
			if hmac.Equal([]byte(one), expected) {
				holds = true
			}
		}
	}
	return holds
}

// TypedEvent is an event of the log (EventsAPI.ListEvents) as what its kind has; one that is newer than this client a [*WebhookEvent].
func TypedEvent(event SequencedEvent) (Event, error) {
	body, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	return readEvent(body)
}

func readEvent(body []byte) (Event, error) {
	var open WebhookEvent
	if err := json.Unmarshal(body, &open); err != nil {
		return nil, err
	}
	event := emptyEvent(EventKind(open.Event))
	if event == nil {
		return &open, nil
	}
	return event, json.Unmarshal(body, event)
}

// emptyEvent is nil for a kind that is newer than this client.
func emptyEvent(kind EventKind) Event {
	switch kind {
	case EVENTKIND_DOCKET_FILING:
		return &DocketFilingEvent{}
	case EVENTKIND_CASE_CREATED:
		return &CaseCreatedEvent{}
	case EVENTKIND_PHASE_CHANGED:
		return &PhaseChangedEvent{}
	case EVENTKIND_CASE_CLOSED:
		return &CaseClosedEvent{}
	case EVENTKIND_FILING_SUBMITTED:
		return &FilingSubmittedEvent{}
	case EVENTKIND_FILING_REJECTED:
		return &FilingRejectedEvent{}
	case EVENTKIND_FILING_WITHDRAWN:
		return &FilingWithdrawnEvent{}
	case EVENTKIND_PARTICIPANT_ADDED:
		return &ParticipantAddedEvent{}
	case EVENTKIND_PARTICIPANT_REMOVED:
		return &ParticipantRemovedEvent{}
	case EVENTKIND_ENTRY_SEALED:
		return &EntrySealedEvent{}
	case EVENTKIND_ENTRY_UNSEALED:
		return &EntryUnsealedEvent{}
	case EVENTKIND_DEADLINE_EXTENDED:
		return &DeadlineExtendedEvent{}
	case EVENTKIND_HEARING_SCHEDULED:
		return &HearingScheduledEvent{}
	case EVENTKIND_HEARING_CHANGED:
		return &HearingChangedEvent{}
	case EVENTKIND_HEARING_CANCELLED:
		return &HearingCancelledEvent{}
	default:
		return nil
	}
}
