// Package client calls the Arbitration Case Platform.
//
// [Connect] makes a [Connection]; [Connection.SignIn], [Connection.Resume] and [Connection.Machine] make one for a caller. Its fields are
// the groups of operations:
//
//	platform := client.Connect("https://platform.example")
//	clara, err := platform.SignIn(ctx, "google", idToken, store)
//	found, _, err := clara.CasesAPI.ListCases(ctx).ListCasesRequest(*client.NewListCasesRequest()).Execute()
//
// Beside the calls stand [Items] for lists, [PlatformError] for refusals, [Webhooks] for what the platform posts, and
// [WithUploadProgress] for files.
package client
