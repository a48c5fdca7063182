-- One operation on random items of table "bench", for wrk:
--     wrk -s http.lua URL -- get|put|update|query|transact
-- The requests are made before the clock starts, so that wrk costs little; only
-- the token of a transaction is put in later, since it has to be new.

local partitions, items, requests, ends = 100, 100, {}, {}
local threads, next_request, sent = 0, 0, 0
local token_place = string.rep("T", 36)

function setup(thread)
	threads = threads + 1
	thread:set("seed", threads)
end

local function body_of(operation)
	local pk = "p" .. math.random(0, partitions - 1)
	local sk = string.format("s%03d", math.random(0, items - 1))
	local key = string.format('{"pk":{"S":"%s"},"sk":{"S":"%s"}}', pk, sk)

	if operation == "get" then
		return "GetItem", string.format('{"TableName":"bench","Key":%s}', key)
	elseif operation == "put" then
		return "PutItem", string.format('{"TableName":"bench","Item":{"pk":{"S":"%s"},"sk":{"S":"%s"},"n":{"N":"%d"},' ..
			'"name":{"S":"name"},"flag":{"BOOL":true},"text":{"S":"%s"},"list":{"L":[{"N":"1"},{"S":"x"}]}}}',
			pk, sk, math.random(0, 1000), string.rep("text of an item ", 8))
	elseif operation == "update" then
		return "UpdateItem", string.format('{"TableName":"bench","Key":%s,"UpdateExpression":"SET n = n + :i",' ..
			'"ExpressionAttributeValues":{":i":{"N":"1"}}}', key)
	elseif operation == "query" then
		return "Query", string.format('{"TableName":"bench","KeyConditionExpression":"pk = :p",' ..
			'"ExpressionAttributeValues":{":p":{"S":"%s"}}}', pk)
	elseif operation == "transact" then
		local first = math.random(0, items - 2)
		local actions = {}
		for i = 1, 2 do
			actions[i] = string.format('{"Update":{"TableName":"bench","Key":{"pk":{"S":"%s"},"sk":{"S":"s%03d"}},' ..
				'"UpdateExpression":"SET n = n + :i","ExpressionAttributeValues":{":i":{"N":"1"}}}}', pk, first + i - 1)
		end
		return "TransactWriteItems", string.format('{"ClientRequestToken":"%s","TransactItems":[%s]}',
			token_place, table.concat(actions, ","))
	end
	error("unknown operation")
end

function init(arguments)
	math.randomseed(seed)
	for i = 1, 2000 do
		local operation, body = body_of(arguments[1])
		requests[i] = wrk.format("POST", "/", {
			["Host"] = "127.0.0.1",
			["Content-Type"] = "application/x-amz-json-1.0",
			["X-Amz-Target"] = "DynamoDB_20120810." .. operation,
			["X-Amz-Date"] = "20260101T000000Z",
			["Authorization"] = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, " ..
				"SignedHeaders=host;x-amz-date;x-amz-target, Signature=" .. string.rep("0", 64)
		}, body)
		local place = requests[i]:find(token_place, 1, true)
		if place then
			ends[i] = requests[i]:sub(place + #token_place)
			requests[i] = requests[i]:sub(1, place - 1)
		end
	end
end

function request()
	next_request = next_request % #requests + 1
	if not ends[next_request] then
		return requests[next_request]
	end
	sent = sent + 1
	return requests[next_request] .. string.format("%012d-%03d-%019d", os.time(), seed, sent) .. ends[next_request]
end
