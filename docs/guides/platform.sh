# Shell functions of the guides. In the folder of the repository: . docs/guides/platform.sh

# The address of the platform; for another one: url=https://arbitration.example.org
url=${url:-http://localhost:8080}

# post PATH TOKEN BODY [options of curl]: calls an operation, and prints its answer
post() { curl -s -w '\n' "$url$1" -H 'Content-Type: application/json' -H "Authorization: Bearer $2" -d "$3" "${@:4}"; }

# value NAME: reads JSON and prints the text of the member with this name
value() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

# sign_in EMAIL FIRST LAST: prints an access token; only in the demo, whose identity provider accepts everybody
sign_in() {
  local id_token
  id_token=$(post /auth/demo/id-token '' "{\"email\":\"$1\",\"first_name\":\"$2\",\"last_name\":\"$3\"}" | value idToken)
  post /auth/authenticate/demo '' "{\"idToken\":\"$id_token\"}" | value accessToken
}

# add_participant BY TOKEN PARTY: adds the person of TOKEN to the case $case_id as a primary participant, by the rights of the token BY
add_participant() {
  local user_id
  user_id=$(post /auth/users/me "$2" '{}' | value id)
  post /cases/cases/participants/add "$1" "{\"caseID\":\"$case_id\",\"userID\":\"$user_id\",\"partyID\":\"$3\",\"isPrimary\":true}"
}
