// What stands beside the generated client for Go, tried against a platform that limits rates and whose clock is moved from here.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"arbitration.example/platform/client"
)

const calls = 20

var url, cutURL, control = os.Args[1], os.Args[2], os.Args[3]
var ctx = context.Background()

func must[T any](answer T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func called[T any](answer T, _ *http.Response, err error) T {
	return must(answer, err)
}

func check(holds bool, what ...any) {
	if !holds {
		log.Fatal(what...)
	}
}

func post(url string, body any, answer any) {
	response := must(http.Post(url, "application/json", bytes.NewReader(must(json.Marshal(body)))))
	defer response.Body.Close()
	if answer != nil {
		check(json.NewDecoder(response.Body).Decode(answer) == nil, url)
	}
}

func idToken() string {
	var signed struct{ IdToken string }
	post(url+"/auth/demo/id-token", map[string]string{"email": "lina@library.example", "first_name": "Lina", "last_name": "Library"}, &signed)
	return signed.IdToken
}

// atOnce has as many goroutines, which begin together.
func atOnce(times int, call func() error) error {
	begin := make(chan struct{})
	failed := make(chan error, times)
	for range times {
		go func() {
			<-begin
			failed <- call()
		}()
	}
	close(begin)
	var first error
	for range times {
		if err := <-failed; err != nil && first == nil {
			first = err
		}
	}
	return first
}

func refused(err error) *client.PlatformError {
	var refusal *client.PlatformError
	check(errors.As(err, &refusal), "was not refused: ", err)
	return refusal
}

func viewsSelf(platform *client.Platform) func() error {
	return func() error {
		_, _, err := platform.UsersAPI.ViewCurrentUser(ctx).Execute()
		return err
	}
}

func signIn() string {
	var stored []string
	credentials := client.SignIn("demo", idToken()).OnTokens(func(tokens client.TokenSet) error {
		stored = append(stored, tokens.RefreshToken)
		return nil
	})
	lina := client.NewPlatform(url, credentials)
	check(len(stored) == 0, "making credentials calls nobody")
	fmt.Println("signed in:", called(lina.UsersAPI.ViewCurrentUser(ctx).Execute()).FirstName)
	written := fmt.Sprintf("%v %+v %#v %s %d", credentials, credentials, credentials, credentials, credentials)
	check(!strings.Contains(written, stored[0]), written)
	func() {
		defer func() { check(recover() != nil, "credentials of one platform are taken by another") }()
		client.NewPlatform(cutURL, credentials)
	}()
	return stored[0]
}

func oneRenewal(refreshToken string) *client.Platform {
	renewals := 0
	lina := client.NewPlatform(url, client.Resume(refreshToken).OnTokens(func(client.TokenSet) error {
		renewals++
		return nil
	}))
	// A caller who gives up leaves the renewal to the others.
	hasty, cancel := context.WithCancel(ctx)
	cancel()
	_, _, err := lina.UsersAPI.ViewCurrentUser(hasty).Execute()
	check(errors.Is(err, context.Canceled), err)
	check(atOnce(calls, viewsSelf(lina)) == nil)
	fmt.Println("renewals for calls that begin together:", renewals)
	// The platform takes the tokens of before no more; this program does not know.
	post(control+"/forward", nil, nil)
	check(atOnce(calls, viewsSelf(lina)) == nil)
	fmt.Println("renewals for calls that are answered 401 together:", renewals-1)

	var offered []string
	full := errors.New("the disk is full")
	failing := client.NewPlatform(url, client.SignIn("demo", idToken()).OnTokens(func(tokens client.TokenSet) error {
		offered = append(offered, tokens.AccessToken)
		return full
	}))
	for range 2 {
		err := viewsSelf(failing)()
		check(errors.Is(err, full), "tokens were used that were not stored: ", err)
		fmt.Println("not used unless stored:", full)
	}
	check(len(offered) == 2 && offered[0] == offered[1], "the same tokens are offered again")
	return lina
}

func errorsAreTyped(lina *client.Platform) {
	_, _, err := lina.CasesAPI.ViewCase(ctx).ViewCaseRequest(*client.NewViewCaseRequest("00000000-0000-4000-8000-000000000000")).Execute()
	refusal := refused(err)
	fmt.Println("refused:", refusal.Status, refusal.ErrorCode == client.ERRORCODE_CASE_NOT_FOUND, refusal.Reason, len(refusal.RequestID) > 7)
	check(refusal.RetryAfter == nil)
}

func cases(platform *client.Platform, limit int32) func(cursor *string) (*client.CaseList, *http.Response, error) {
	return func(cursor *string) (*client.CaseList, *http.Response, error) {
		page := client.ListCasesRequest{Cursor: *client.NewNullableString(cursor), Limit: *client.NewNullableInt32(&limit)}
		return platform.CasesAPI.ListCases(ctx).ListCasesRequest(page).Execute()
	}
}

// lostAnswer has the platform open a case, and loses its answer on the way.
func lostAnswer(lina *client.Platform) string {
	own := client.NewPlatform(cutURL, client.SignIn("demo", idToken()))
	check(viewsSelf(own)() == nil)
	post(control+"/cut", nil, nil)
	random := make([]byte, 10)
	must(rand.Read(random))
	title := "Lost and found " + hex.EncodeToString(random)
	opened := called(own.CasesAPI.CreateCase(ctx).CreateCaseRequest(*client.NewCreateCaseRequest(title, "commercial")).Execute())
	count := 0
	for one, err := range client.Items(cases(lina, 2), (*client.CaseList).GetCases) {
		if must(one, err).Title == title {
			check(one.CaseID == opened.CaseID)
			count++
		}
	}
	fmt.Println("cases opened by one call whose answer was lost:", count)
	post(control+"/cut", nil, nil)
	_, _, err := client.NewPlatform(cutURL, nil).CasesAPI.ListCases(ctx).Execute()
	var refusal *client.PlatformError
	check(err != nil && !errors.As(err, &refusal), "a request without a key was repeated: ", err)
	fmt.Println("not repeated without a key")
	return opened.CaseID
}

func uploads(lina *client.Platform, caseID string) {
	name := filepath.Join(must(os.MkdirTemp("", "library")), "dates")
	defer os.RemoveAll(filepath.Dir(name))
	content := bytes.Repeat([]byte("We are available in May, and so is our expert on cranes.\n"), 24<<20/57)
	check(os.WriteFile(name, content, 0o600) == nil)
	hash, size := sha256.Sum256(content), int64(len(content))
	content = nil
	var steps []int64
	var most, memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	options := &client.UploadOptions{FileName: "dates.txt", Progress: func(sent, all int64) {
		check(all == size)
		steps = append(steps, sent)
	}}
	kept := must(client.NewUploads(lina).CreateEvidenceUpload(ctx, caseID, "correspondence", "Très long 開庭通知", name, options))
	runtime.ReadMemStats(&most)
	check(most.TotalAlloc-memory.TotalAlloc < uint64(size/4), "allocated ", most.TotalAlloc-memory.TotalAlloc)
	check(slices.IsSorted(steps) && steps[0] == 0 && steps[len(steps)-1] == size && len(steps) > 100, steps)
	view := called(lina.EvidenceAPI.ViewEvidenceUpload(ctx).
		NamedEvidenceUploadRequest(*client.NewNamedEvidenceUploadRequest(caseID, kept.UploadID)).Execute())
	check(view.Sha256 == hex.EncodeToString(hash[:]), "another file arrived")
	fmt.Println("uploaded:", view.FileName, view.Description, 100*steps[len(steps)-1]/size, "%")
	_, err := client.NewUploads(lina).CreateEvidenceUpload(ctx, "", "correspondence", "", name, nil)
	refusal := refused(err)
	fmt.Println("refused upload:", refusal.Status, refusal.Reason)
}

func lists(lina *client.Platform, caseID string) {
	count := 0
	for _, err := range client.ItemsAfter(func(after *string) ([]client.EvidenceUpload, error) {
		request := client.NewListEvidenceUploadsRequest(caseID)
		request.SetLimit(1)
		request.AfterUploadID = *client.NewNullableString(after)
		page, _, err := lina.EvidenceAPI.ListEvidenceUploads(ctx).ListEvidenceUploadsRequest(*request).Execute()
		return page.GetUploads(), err
	}, func(upload client.EvidenceUpload) string { return upload.UploadID }, nil) {
		check(err == nil, err)
		count++
	}
	fmt.Println("uploads after each other:", count)
	same := "same"
	for _, err := range client.Items(func(*string) (*client.CaseList, *http.Response, error) {
		return client.NewCaseList(nil, *client.NewNullableString(&same)), nil, nil
	}, (*client.CaseList).GetCases) {
		check(errors.Is(err, client.ErrRepeatedCursor), err)
		fmt.Println("stopped:", err)
	}
}

func machine(lina *client.Platform) {
	self := called(lina.UsersAPI.ViewCurrentUser(ctx).Execute())
	if self.OrganizationID.Get() == nil {
		called(lina.OrganizationsAPI.CreateOrganization(ctx).
			CreateOrganizationRequest(*client.NewCreateOrganizationRequest("Library GmbH")).Execute())
		self = called(lina.UsersAPI.ViewCurrentUser(ctx).Execute())
	}
	request := client.NewCreateMachineClientRequest("Archive", []string{})
	request.OrganizationID = self.OrganizationID
	made := called(lina.MachineClientsAPI.CreateMachineClient(ctx).CreateMachineClientRequest(*request).Execute())
	archive := client.NewPlatform(url, client.Machine(made.ClientID, made.ClientSecret))
	called(archive.EventsAPI.ListEvents(ctx).Execute())
	_, _, err := client.NewPlatform(url, client.Machine(made.ClientID, "acp_wrong")).EventsAPI.ListEvents(ctx).Execute()
	var ended *client.SessionEndedError
	fmt.Println("machine client:", refused(err).Status, refused(err).ErrorCode, errors.As(err, &ended))
}

// counting counts the statuses of the answers that come through it.
type counting struct {
	mutex    sync.Mutex
	statuses map[int]int
}

func (c *counting) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.statuses[response.StatusCode]++
	}
	return response, err
}

func rates() {
	counted := &counting{statuses: map[int]int{}}
	lina := client.NewPlatform(url, client.SignIn("demo", idToken()), client.WithTransport(counted))
	check(viewsSelf(lina)() == nil)
	check(atOnce(60, viewsSelf(lina)) == nil)
	check(counted.statuses[200] == 62 && slices.Equal(slices.Sorted(maps.Keys(counted.statuses)), []int{200, 429}), counted.statuses)
	fmt.Println("each was answered, though some were refused for their rate at first")
	impatient := client.NewPlatform(url, client.SignIn("demo", idToken()), client.WithRetryPolicy(client.RetryPolicy{Attempts: 1}))
	check(viewsSelf(impatient)() == nil)
	err := atOnce(4, func() error {
		for range 200 {
			if err := viewsSelf(impatient)(); err != nil {
				return err
			}
		}
		return nil
	})
	refusal := refused(err)
	known := refusal.ErrorCode == client.ERRORCODE_RATE_LIMITED
	fmt.Println("limited:", refusal.Status, refusal.ErrorCode, known, refusal.RetryAfter.Seconds())
	// A call ends with its context, also while it waits for its turn.
	brief, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	err = atOnce(80, func() error {
		_, _, err := lina.UsersAPI.ViewCurrentUser(brief).Execute()
		return err
	})
	check(errors.Is(err, context.DeadlineExceeded), err)
}

func webhooks() {
	const now = 1795253400
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("a secret of thirty-two bytes, ok"))
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte("another"))
	data := `{"caseID":"7","filingID":"8","entryID":"9","enteredAt":"2026-11-21T09:30:00.000Z","phaseID":"hearing","documentID":"motion",` +
		`"userID":"1","organizationID":null,"partyID":"claimant","rootEntryID":null,"parentEntryID":null}`
	signed := func(kind, id, data string) (http.Header, []byte) {
		body := []byte(fmt.Sprintf(`{"id":"%s","timestamp":"2026-11-21T09:30:00.000Z","event":"%s","data":%s}`, id, kind, data))
		mac := hmac.New(sha256.New, []byte("a secret of thirty-two bytes, ok"))
		fmt.Fprintf(mac, "e-1.%d.%s", now, body)
		digest := base64.StdEncoding.EncodeToString(mac.Sum(nil))
		header := http.Header{}
		header.Set("webhook-id", "e-1")
		header.Set("webhook-timestamp", strconv.Itoa(now))
		header.Set("webhook-signature", "v1,AAAA v2,"+digest+" v1,"+digest)
		return header, body
	}
	verified := func(header http.Header, body []byte, later time.Duration, secrets ...string) (*client.Webhook, error) {
		verifier := must(client.NewWebhookVerifier(secrets...))
		verifier.Clock = func() time.Time { return time.Unix(now, 0).Add(later) }
		return verifier.Verify(header, body)
	}
	problem := func(header http.Header, body []byte, later time.Duration, secrets ...string) string {
		_, err := verified(header, body, later, append(secrets, secret)[:1]...)
		var refusal *client.WebhookError
		if errors.As(err, &refusal) {
			return refusal.Problem
		}
		check(err == nil, err)
		return "none"
	}
	with := func(header http.Header, name, value string) http.Header {
		changed := header.Clone()
		changed.Set(name, value)
		return changed
	}
	header, body := signed("docket_filing", "e-1", data)
	found := must(verified(header, body, 299*time.Second, other, secret))
	fmt.Println("webhook:", found.ID, found.Event.(*client.DocketFilingEvent).Data.DocumentID)
	otherHeader, otherBody := signed("docket_filing", "e-2", data)
	badHeader, badBody := signed("docket_filing", "e-1", `"no data"`)
	fmt.Println("problems:", problem(header, body, 0), problem(header, body, 301*time.Second), problem(header, body, -301*time.Second),
		problem(header, append(slices.Clone(body), ' '), 0), problem(header, body, 0, other), problem(with(header, "webhook-id", ""), body, 0),
		problem(with(header, "webhook-timestamp", "now"), body, 0),
		problem(with(header, "webhook-signature", "v1,"+strings.Repeat("A", 44)), body, 0),
		problem(otherHeader, otherBody, 0), problem(badHeader, badBody, 0))
	newerHeader, newerBody := signed("a_newer_kind", "e-1", data)
	newer := must(verified(newerHeader, newerBody, 0, secret)).Event
	_, open := newer.(*client.WebhookEvent)
	fmt.Println("newer kind:", newer.GetEvent(), open)
	for _, kind := range client.AllowedEventKindEnumValues {
		typed := must(client.TypedEvent(client.SequencedEvent{Event: string(kind), Data: map[string]any{}}))
		_, open := typed.(*client.WebhookEvent)
		check(open == (kind == client.EVENTKIND_UNKNOWN_DEFAULT_OPEN_API), "a kind of event without its model: ", kind)
	}
}

func sessionEnds(lina *client.Platform) {
	called(lina.SessionsAPI.RevokeSession(ctx).Execute())
	first, second := viewsSelf(lina)(), viewsSelf(lina)()
	var ended *client.SessionEndedError
	fmt.Println("session ended:", errors.As(first, &ended), refused(first).ErrorCode, refused(first).RequestID == refused(second).RequestID)
}

func main() {
	lina := oneRenewal(signIn())
	errorsAreTyped(lina)
	caseID := lostAnswer(lina)
	uploads(lina, caseID)
	lists(lina, caseID)
	machine(lina)
	rates()
	webhooks()
	sessionEnds(lina)
}
