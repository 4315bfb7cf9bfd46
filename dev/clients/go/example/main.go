// A case from sign-in to docket through the generated client, on a platform in the demo profile.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"arbitration.example/platform/client"
)

// api is one client for all callers: who calls is said by the context.
var api *client.APIClient

// must ends the program where a call failed, with the reason that the platform gave.
func must[T any](answer T, response *http.Response, err error) T {
	if err != nil {
		log.Fatalf("%v: %s", err, reason(err))
	}
	return answer
}

// reason is the sentence in the body of a refusal, a JSON string.
func reason(err error) (sentence string) {
	var refused *client.GenericOpenAPIError
	if errors.As(err, &refused) {
		json.Unmarshal(refused.Body(), &sentence)
	}
	return sentence
}

// signIn makes a context that calls as this person. Your identity provider signs the ID token; here it is the one of the demo.
func signIn(url, email, firstName, lastName string) context.Context {
	person, _ := json.Marshal(map[string]string{"email": email, "first_name": firstName, "last_name": lastName})
	response, err := http.Post(url+"/auth/demo/id-token", "application/json", bytes.NewReader(person))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var signed struct{ IdToken string }
	if err := json.NewDecoder(response.Body).Decode(&signed); err != nil {
		log.Fatal(err)
	}
	tokens := must(api.AuthenticationAPI.AuthenticateWithIdentityProvider(context.Background(), "demo").
		AuthenticateRequest(*client.NewAuthenticateRequest(signed.IdToken)).Execute())
	return context.WithValue(context.Background(), client.ContextAccessToken, tokens.AccessToken)
}

type webhook struct {
	header http.Header
	body   []byte
}

// listen runs a server as an organization would: it takes webhooks and answers at once.
func listen() (string, chan webhook) {
	arrived := make(chan webhook, 100)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		arrived <- webhook{request.Header, body}
		writer.WriteHeader(http.StatusNoContent)
	}))
	return "http://" + listener.Addr().String() + "/hook", arrived
}

func verified(hook webhook, secret string) bool {
	id, timestamp := hook.header.Get("webhook-id"), hook.header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, hook.body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Fields(hook.header.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), expected) {
			return true
		}
	}
	return false
}

// as reads the data of an event as what its kind has.
func as[T any](event client.WebhookEvent) (data T) {
	plain, err := json.Marshal(event.Data)
	if err == nil {
		err = json.Unmarshal(plain, &data)
	}
	if err != nil {
		log.Fatal(err)
	}
	return data
}

// next is the next event of a case, whose signature holds.
func next(arrived chan webhook, secret, caseID string) (found client.WebhookEvent) {
	for as[client.DocketFilingData](found).CaseID != caseID {
		select {
		case hook := <-arrived:
			if !verified(hook, secret) {
				log.Fatal("not signed with the secret of its URL: ", hook.header.Get("webhook-id"))
			}
			if err := json.Unmarshal(hook.body, &found); err != nil {
				log.Fatal(err)
			}
		case <-time.After(20 * time.Second):
			log.Fatal("no webhook within 20 s")
		}
	}
	return found
}

// read is what a file holds; afterwards the file is at its start again.
func read(file *os.File) []byte {
	content, err := io.ReadAll(file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		log.Fatal(err)
	}
	return content
}

func opened(name string) *os.File {
	file, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	return file
}

func main() {
	url := "http://localhost:8080"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	api = client.NewAPIClient(configuration)
	administrator := signIn(url, "admin@demo.example", "Ada", "Administrator")
	claimant := signIn(url, "clara@clients.example", "Clara", "Claimant")
	manager := signIn(url, "maya@go.example", "Maya", "Manager")

	// Webhooks go to organizations, and Clara's has a server: this program.
	if me := must(api.UsersAPI.ViewCurrentUser(claimant).Execute()); me.OrganizationID.Get() == nil {
		must(api.OrganizationsAPI.CreateOrganization(claimant).
			CreateOrganizationRequest(*client.NewCreateOrganizationRequest("Claimant Shipping GmbH")).Execute())
	}
	hook, arrived := listen()
	secret := must(api.WebhookUrlsAPI.CreateWebhookUrl(claimant).CreateWebhookUrlRequest(*client.NewCreateWebhookUrlRequest(hook)).Execute()).GetSecret()

	// A case, and who decides in it.
	caseID := must(api.CasesAPI.CreateCase(claimant).
		CreateCaseRequest(*client.NewCreateCaseRequest("Crânes v. Quarry 採石場", "commercial")).Execute()).CaseID
	fmt.Println("case", caseID)
	appointment := client.NewAddParticipantRequest(caseID, must(api.UsersAPI.ViewCurrentUser(manager).Execute()).Id, "caseManager")
	appointment.SetIsPrimary(true)
	must(api.ParticipantsAPI.AddParticipant(administrator).AddParticipantRequest(*appointment).Execute())

	// Clara files her claim; what is wrong with it she is told in words.
	filingID := must(api.FilingsAPI.CreateFiling(claimant).CreateFilingRequest(
		*client.NewCreateFilingRequest(caseID, "statementOfClaim", map[string]any{
			"claimantName": "Claimant Shipping GmbH", "respondentName": "Respondent Cranes Ltd", "claimAmount": "125000.00",
			"reliefSought": "Damages for two cranes that came late.", "expeditedRequested": false})).Execute()).FilingID
	// The claim itself is a PDF.
	claim := opened("../../../../src/main/resources/demo/statement-of-claim.pdf")
	filed := must(api.FilingFilesAPI.UploadFilingFile(claimant).CaseID(caseID).FilingID(filingID).File(claim).Execute())
	fmt.Printf("filed %s of %d pages\n", filed.FileName, *filed.Pages.Get())
	submission := api.DocumentsAPI.SubmitDocument(claimant).SubmitDocumentRequest(*client.NewSubmitDocumentRequest(caseID, filingID))
	fmt.Println(must(submission.Execute()))
	_, response, err := submission.Execute()
	if err == nil {
		log.Fatal("submitted twice")
	}
	fmt.Printf("refused with %d: %s\n", response.StatusCode, reason(err))
	// Programs go by the error code, which never changes. One that a later version adds is not valid, and a code all the same.
	code := client.ErrorCode(response.Header.Get("Error-Code"))
	if code == client.ERRORCODE_FILING_ALREADY_SUBMITTED && code.IsValid() && !client.ErrorCode("filing.newer").IsValid() {
		fmt.Printf("the error code %s is known, and one of a later version is taken\n", code)
	}

	// Maya approves it, and it is on the docket.
	fmt.Println(must(api.DocumentsAPI.ApproveDocument(manager).
		ApproveDocumentRequest(*client.NewApproveDocumentRequest(caseID, filingID)).Execute()))
	docket := must(api.DocketAPI.ListDocketEntries(claimant).
		ListDocketEntriesRequest(*client.NewListDocketEntriesRequest(caseID)).Execute())
	for _, entry := range docket.Entries {
		fmt.Printf("docket entry %s: %s of %s\n", entry.EntryID, entry.DocumentID, entry.EnteredAt.Format(time.RFC3339))
	}
	fmt.Println("docket valid:", must(api.DocketAPI.VerifyDocket(claimant).
		VerifyDocketRequest(*client.NewVerifyDocketRequest(caseID)).Execute()).Valid)

	// The platform tells Clara's server of it.
	told := next(arrived, secret, caseID)
	fmt.Println("webhook verified:", told.Event, "of", as[client.DocketFilingData](told).DocumentID)
	// A kind that is newer than this client is read, too, and can be passed over.
	var newer client.WebhookEvent
	if err := json.Unmarshal([]byte(`{"id": "1", "timestamp": "2030-01-01T00:00:00.000Z", "event": "a_newer_kind", "data": {"caseID": "7"}}`), &newer); err != nil {
		log.Fatal(err)
	}
	fmt.Println("newer kind:", newer.Event)

	// Every case of hers, page by page.
	cases := 0
	page := client.NewListCasesRequest()
	page.SetLimit(200)
	for more := true; more; more = page.Cursor.Get() != nil {
		found := must(api.CasesAPI.ListCases(claimant).ListCasesRequest(*page).Execute())
		cases += len(found.Cases)
		page.Cursor = found.NextCursor
	}
	fmt.Println("cases:", cases)

	// A form is filled, kept as evidence, and comes back as it was.
	hearing := client.NewFillPdfTemplateRequest("noticeOfHearing")
	hearing.SetPlaceholders(map[string]string{"caseTitle": "Cranes v. Quarry", "hearingDate": "2027-03-04"})
	form := must(api.PdfTemplatesAPI.FillPdfTemplate(claimant).FillPdfTemplateRequest(*hearing).Execute())
	pdf := read(form)
	fmt.Println("filled form:", string(pdf[:5]))
	upload := must(api.EvidenceAPI.CreateEvidenceUpload(claimant).CaseID(caseID).CategoryID("correspondence").
		Description("Notice of hearing 開庭通知").File(form).Execute())
	stored := must(api.EvidenceAPI.DownloadEvidenceUpload(claimant).
		NamedEvidenceUploadRequest(*client.NewNamedEvidenceUploadRequest(caseID, upload.UploadID)).Execute())
	fmt.Printf("evidence %s, the same bytes: %t\n", upload.UploadID, bytes.Equal(pdf, read(stored)))

	fmt.Println(must(api.WebhookUrlsAPI.DeleteWebhookUrl(claimant).NamedWebhookUrlRequest(*client.NewNamedWebhookUrlRequest(hook)).Execute()))
}
