/*
 * Tests of the endpoint with the AWS SDK for JavaScript, version 3, for
 * node's own test runner.  The endpoint's URL is in ENDPOINT, psql finds the
 * database by CONNECTION.
 */
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const { after, before, test } = require('node:test');
const {
	ConditionalCheckFailedException, CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDBClient,
	GetItemCommand, ListTablesCommand, PutItemCommand, ResourceNotFoundException, UpdateItemCommand,
	UpdateTableCommand, paginateListTables, paginateScan, waitUntilTableExists, waitUntilTableNotExists
} = require('@aws-sdk/client-dynamodb');
const streams = require('@aws-sdk/client-dynamodb-streams');
const {
	BatchGetCommand, BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, GetCommand, NumberValue, PutCommand,
	QueryCommand, ScanCommand, TransactGetCommand, TransactWriteCommand, UpdateCommand, paginateQuery
} = require('@aws-sdk/lib-dynamodb');

const TableName = 'javascript';
const endpoint = process.env.ENDPOINT;
const client = new DynamoDBClient({ endpoint });
const documents = DynamoDBDocumentClient.from(client);

const psql = ['-X', '-q', '-A', '-t', '-d', process.env.CONNECTION];
const operations = new Set(execFileSync('psql', [...psql, '-c',
	"SELECT proname FROM pg_proc WHERE pronamespace = 'dynamo'::regnamespace"], { encoding: 'utf8' }).split('\n'));

/* The option that leaves a test out where this build has not these operations. */
const needs = (...functions) => ({ skip: !functions.every((name) => operations.has(name)) });

const collect = async (pages) => {
	const all = [];

	for await (const page of pages)
		all.push(page);
	return all;
};

before(async () => {
	await client.send(new CreateTableCommand({
		TableName,
		BillingMode: 'PAY_PER_REQUEST',
		AttributeDefinitions: [
			{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'N' }],
		KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }]
	}));
	await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { TableName });
	for (let sk = 0; sk < 25; sk++)
		await documents.send(new PutCommand({ TableName, Item: { pk: 'pages', sk, even: sk % 2 === 0 } }));
});

after(() => client.destroy());

test('document client: every type comes back', async () => {
	const Item = {
		pk: 'types', sk: -1.5, string: 'zo\u00eb \u{1f600} \0', empty: '', truth: true, nothing: null,
		bytes: new Uint8Array([0, 255, 128]), strings: new Set(['a', 'b']), numbers: new Set([1, 2.5]),
		list: [1, 'two', [null, {}]], map: { deeper: { n: 1e-20 }, $m: [] }
	};

	await documents.send(new PutCommand({ TableName, Item }));
	const found = await documents.send(new GetCommand({ TableName, Key: { pk: 'types', sk: -1.5 }, ConsistentRead: true }));
	assert.deepEqual(found.Item, Item);
});

test('document client: exact numbers', async () => {
	const own = new DynamoDBClient({ endpoint });
	const exact = DynamoDBDocumentClient.from(own, { unmarshallOptions: { wrapNumbers: true } });
	const Item = { pk: 'exact', sk: 1, n: NumberValue.from('12345678901234567890.123456789012345678') };

	await exact.send(new PutCommand({ TableName, Item }));
	const found = await exact.send(new GetCommand({ TableName, Key: { pk: 'exact', sk: 1 } }));
	assert.equal(found.Item.n.toString(), '12345678901234567890.123456789012345678');
	own.destroy();
});

test('document client: update and delete return items', async () => {
	const Key = { pk: 'update', sk: 1 };
	const updated = await documents.send(new UpdateCommand({
		TableName, Key, UpdateExpression: 'SET #l = list_append(if_not_exists(#l, :empty), :more), n = :n',
		ExpressionAttributeNames: { '#l': 'list' },
		ExpressionAttributeValues: { ':empty': [], ':more': [{ x: 1 }], ':n': 1 }, ReturnValues: 'ALL_NEW'
	}));
	assert.deepEqual(updated.Attributes, { ...Key, list: [{ x: 1 }], n: 1 });
	const deleted = await documents.send(new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }));
	assert.deepEqual(deleted.Attributes, updated.Attributes);
	assert.equal((await documents.send(new GetCommand({ TableName, Key }))).Item, undefined);
});

test('errors are instances of their classes', async () => {
	const Item = { pk: 'condition', sk: 1 };
	const put = new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' });

	await documents.send(put);
	await assert.rejects(documents.send(put), (error) => {
		assert.ok(error instanceof ConditionalCheckFailedException);
		assert.equal(error.name, 'ConditionalCheckFailedException');
		assert.equal(error.message, 'The conditional request failed');
		assert.equal(error.$metadata.httpStatusCode, 400);
		assert.match(error.$metadata.requestId, /^[0-9A-Z]{52}$/);
		assert.equal(error.$metadata.attempts, 1);
		return true;
	});
	await assert.rejects(documents.send(new GetCommand({ TableName: 'absent', Key: { pk: 'x' } })),
		ResourceNotFoundException);
	await assert.rejects(client.send(new GetItemCommand({ TableName, Key: { pk: { S: 'x' } } })),
		{ name: 'ValidationException', message: 'The provided key element does not match the schema' });
});

test('a failed condition can bring the item', async () => {
	const Item = { pk: { S: 'brought' }, sk: { N: '1' }, x: { S: 'y' } };

	await client.send(new PutItemCommand({ TableName, Item }));
	await assert.rejects(client.send(new PutItemCommand({
		TableName, Item, ConditionExpression: 'attribute_not_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD'
	})), (error) => {
		assert.deepEqual(error.Item, Item);
		return true;
	});
});

test('paginators', async () => {
	const pages = await collect(paginateQuery({ client: documents, pageSize: 10 }, {
		TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'pages' }
	}));
	assert.deepEqual(pages.map((page) => page.Count), [10, 10, 5]);
	assert.deepEqual(pages.flatMap((page) => page.Items.map((item) => item.sk)), [...Array(25).keys()]);
	assert.ok(!('LastEvaluatedKey' in pages[2]) || pages[2].LastEvaluatedKey === undefined);

	const scanned = await collect(paginateScan({ client, pageSize: 7 }, {
		TableName, FilterExpression: 'even = :t', ExpressionAttributeValues: { ':t': { BOOL: true } }
	}));
	assert.equal(scanned.reduce((sum, page) => sum + page.Count, 0), 13);

	const listed = await collect(paginateListTables({ client, pageSize: 1 }, {}));
	assert.deepEqual(listed.flatMap((page) => page.TableNames), [TableName]);
});

test('query backwards and from a key on', async () => {
	const { Items } = await documents.send(new QueryCommand({
		TableName, KeyConditionExpression: 'pk = :p AND sk < :max', ScanIndexForward: false, Limit: 3,
		ExpressionAttributeValues: { ':p': 'pages', ':max': 20 }, ExclusiveStartKey: { pk: 'pages', sk: 18 }
	}));
	assert.deepEqual(Items.map((item) => item.sk), [17, 16, 15]);
});

test('segments of a scan', async () => {
	const parts = await Promise.all([0, 1, 2, 3].map((Segment) => documents.send(new ScanCommand({
		TableName, TotalSegments: 4, Segment, FilterExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'pages' }
	}))));
	assert.deepEqual(parts.flatMap((part) => part.Items.map((item) => item.sk)).sort((a, b) => a - b), [...Array(25).keys()]);
});

test('waiters', async () => {
	const wait = { client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 };

	await client.send(new CreateTableCommand({
		TableName: 'waited', BillingMode: 'PAY_PER_REQUEST',
		AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'B' }], KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }]
	}));
	assert.equal((await waitUntilTableExists(wait, { TableName: 'waited' })).state, 'SUCCESS');
	await client.send(new DeleteTableCommand({ TableName: 'waited' }));
	assert.equal((await waitUntilTableNotExists(wait, { TableName: 'waited' })).state, 'SUCCESS');
	await assert.rejects(client.send(new DescribeTableCommand({ TableName: 'waited' })), ResourceNotFoundException);
});

test('throttled requests are retried until they succeed', async () => {
	const Key = { pk: { S: 'locked' }, sk: { N: '1' } };
	await client.send(new PutItemCommand({ TableName, Item: { ...Key, n: { N: '0' } } }));

	const session = spawn('psql', [...psql, '-v', 'ON_ERROR_STOP=1'], { stdio: ['pipe', 'pipe', 'inherit'] });
	session.stdin.write(`BEGIN; SELECT 'locked' FROM ddb.${TableName} WHERE pk = 'locked' FOR UPDATE;\n`);
	assert.match(String((await once(session.stdout, 'data'))[0]), /locked/);

	const patient = new DynamoDBClient({ endpoint, maxAttempts: 10 });
	const refusals = [];

	/* sees each attempt's answer; the first refusal ends the other session's transaction */
	patient.middlewareStack.add((next) => async (args) => {
		try {
			return await next(args);
		} catch (error) {
			refusals.push(error.name);
			if (refusals.length === 1)
				session.stdin.end('COMMIT;\n');
			throw error;
		}
	}, { step: 'finalizeRequest', priority: 'low', name: 'witness' });

	const answer = await patient.send(new UpdateItemCommand({
		TableName, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } }, ReturnValues: 'ALL_NEW'
	}));
	assert.deepEqual([...new Set(refusals)], ['ThrottlingException']);
	assert.equal(answer.$metadata.attempts, refusals.length + 1);
	assert.deepEqual(answer.Attributes.n, { N: '1' });
	patient.destroy();
});

test('fifty requests at a time', async () => {
	const Key = { pk: 'counter', sk: 1 };

	await Promise.all(Array.from({ length: 200 }, () => documents.send(new UpdateCommand({
		TableName, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 }
	}))));
	assert.equal((await documents.send(new GetCommand({ TableName, Key }))).Item.n, 200);
});

test('batches', needs('batch_write_item', 'batch_get_item'), async () => {
	const answer = await documents.send(new BatchWriteCommand({
		RequestItems: { [TableName]: [...Array(25).keys()].map((sk) => ({ PutRequest: { Item: { pk: 'batch', sk } } })) }
	}));
	assert.deepEqual(answer.UnprocessedItems, {});
	const found = await documents.send(new BatchGetCommand({
		RequestItems: { [TableName]: { Keys: [3, 24, 25].map((sk) => ({ pk: 'batch', sk })) } }
	}));
	assert.deepEqual(found.Responses[TableName].map((item) => item.sk).sort((a, b) => a - b), [3, 24]);
});

test('transactions', needs('transact_write_items', 'transact_get_items'), async () => {
	const put = (sk, more) => ({ Put: { TableName, Item: { pk: 'transaction', sk }, ...more } });

	await documents.send(new TransactWriteCommand({ TransactItems: [put(1), put(2)] }));
	await assert.rejects(documents.send(new TransactWriteCommand({
		TransactItems: [put(3), put(1, { ConditionExpression: 'attribute_not_exists(pk)' })]
	})), (error) => {
		assert.equal(error.name, 'TransactionCanceledException');
		assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['None', 'ConditionalCheckFailed']);
		return true;
	});
	const { Responses } = await documents.send(new TransactGetCommand({
		TransactItems: [1, 2, 3].map((sk) => ({ Get: { TableName, Key: { pk: 'transaction', sk } } }))
	}));
	assert.deepEqual(Responses.map((response) => response.Item?.sk), [1, 2, undefined]);
});

test('streams client', needs('list_streams', 'describe_stream', 'get_shard_iterator', 'get_records'), async () => {
	const reader = new streams.DynamoDBStreamsClient({ endpoint });
	const { TableDescription } = await client.send(new UpdateTableCommand({
		TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' }
	}));
	const StreamArn = TableDescription.LatestStreamArn;
	const Key = { pk: 'stream', sk: 1 };
	await documents.send(new PutCommand({ TableName, Item: { ...Key, x: 'old' } }));
	await documents.send(new PutCommand({ TableName, Item: { ...Key, x: 'new' } }));
	await documents.send(new DeleteCommand({ TableName, Key }));

	const listed = await reader.send(new streams.ListStreamsCommand({ TableName }));
	assert.deepEqual(listed.Streams.map((stream) => stream.StreamArn), [StreamArn]);
	const { StreamDescription } = await reader.send(new streams.DescribeStreamCommand({ StreamArn }));
	const records = [];
	for (const { ShardId } of StreamDescription.Shards) {
		const { ShardIterator } = await reader.send(new streams.GetShardIteratorCommand({
			StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON'
		}));
		records.push(...(await reader.send(new streams.GetRecordsCommand({ ShardIterator }))).Records);
	}
	assert.deepEqual(records.map((record) => record.eventName), ['INSERT', 'MODIFY', 'REMOVE']);
	assert.deepEqual(records[1].dynamodb.OldImage.x, { S: 'old' });
	assert.deepEqual(records[1].dynamodb.NewImage.x, { S: 'new' });
	reader.destroy();
});

test('the endpoint from the environment', async () => {
	process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
	const bare = new DynamoDBClient();

	assert.deepEqual((await bare.send(new ListTablesCommand({}))).TableNames, [TableName]);
	bare.destroy();
	delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
});

test('a wrong secret is refused', async () => {
	const stranger = new DynamoDBClient({ endpoint, credentials: { accessKeyId: 'test', secretAccessKey: 'wrong' } });

	await assert.rejects(stranger.send(new ListTablesCommand({})), (error) => {
		assert.equal(error.name, 'InvalidSignatureException');
		assert.equal(error.$metadata.httpStatusCode, 400);
		return true;
	});
	stranger.destroy();
});

test('list of tables', async () => {
	assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, [TableName]);
});
