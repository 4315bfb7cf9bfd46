-- Sends prepared requests with wrk. Arguments: file, number of threads, host, "repeat" or "once".
-- Lines of the file: "T<tab>token", numbered from 1, then "R<tab>number of the token<tab>path<tab>body".
local threads = {}

function setup(thread)
  thread:set("index", #threads)
  table.insert(threads, thread)
end

function init(arguments)
  local file, count, host, mode = arguments[1], tonumber(arguments[2]), arguments[3], arguments[4]
  heads, bodies, turn, exhausted, repeats = {}, {}, 0, 0, mode == "repeat"
  local tokens, number = {}, 0
  for line in io.lines(file) do
    local kind, rest = line:match("^(.)\t(.*)$")
    if kind == "T" then
      table.insert(tokens, rest)
    else
      if repeats or number % count == index then
        local token, path, body = rest:match("^(%d+)\t([^\t]*)\t(.*)$")
        table.insert(heads, "POST " .. path .. " HTTP/1.1\r\nHost: " .. host .. "\r\nAuthorization: Bearer "
          .. tokens[tonumber(token)] .. "\r\nContent-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n")
        table.insert(bodies, body)
      end
      number = number + 1
    end
  end
  if repeats then turn = math.floor(index * #heads / count) end
end

function request()
  turn = turn + 1
  if turn > #heads then
    if not repeats then exhausted = 1 end
    turn = 1
  end
  return heads[turn] .. bodies[turn]
end

function done(summary, latency, requests)
  local out = 0
  for _, thread in ipairs(threads) do out = out + thread:get("exhausted") end
  local errors = summary.errors
  print(string.format("load answers=%d failures=%d bytes=%d micros=%d p50=%d p99=%d exhausted=%d",
    summary.requests - errors.status, errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99), out))
end
