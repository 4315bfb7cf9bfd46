// Package client calls the Arbitration Case Platform.
//
// A [Platform] is made of its URL and the [Credentials] of a caller: a person by an ID token ([SignIn]) or a stored refresh token ([Resume]),
// or a machine client ([Machine]). Its fields are the groups of operations:
//
//	platform := client.NewPlatform("https://platform.example", client.Resume(refreshToken).OnTokens(store))
//	found, _, err := platform.CasesAPI.ListCases(ctx).Execute()
//
// Beside the calls stand [Items] and [ItemsAfter] for lists, [PlatformError] for refusals, [WebhookVerifier] for what the platform posts,
// and [Uploads] for files.
package client
