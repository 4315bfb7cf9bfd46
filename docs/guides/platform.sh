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

# days_after TIME DAYS: prints the same time of day so many days later; TIME begins with a date such as 2026-11-23. awk counts the days (Julian day
# numbers), because the option of "date" for this differs between systems
days_after() {
  echo "$1 $2" | awk '{
    split($1, at, /[-T]/); back = int((14 - at[2]) / 12); y = at[1] + 4800 - back; m = at[2] + 12 * back - 3
    day = at[3] + int((153 * m + 2) / 5) + 365 * y + int(y / 4) - int(y / 100) + int(y / 400) - 32045 + $2
    a = day + 32044; b = int((4 * a + 3) / 146097); c = a - int(146097 * b / 4); d = int((4 * c + 3) / 1461); e = c - int(1461 * d / 4)
    m = int((5 * e + 2) / 153)
    printf "%04d-%02d-%02d%s\n", 100 * b + d - 4800 + int(m / 10), m + 3 - 12 * int(m / 10), e - int((153 * m + 2) / 5) + 1, substr($1, 11)
  }'
}
