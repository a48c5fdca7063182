/*
 * What bench/http needs besides wrk:
 *     node http.js load URL            table "bench" with its items
 *     node http.js idle URL NUMBER     opens connections, uses each once, says
 *                                      "open" and keeps them until its input ends
 */
'use strict';

const http = require('node:http');

const [what, url, number] = process.argv.slice(2);
const partitions = 100;
const itemsEach = 100;

const headers = {
	'Content-Type': 'application/x-amz-json-1.0',
	'X-Amz-Date': '20260101T000000Z',
	'Authorization': 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, ' +
		`SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`
};

const call = (agent, operation, request) => new Promise((resolve, reject) => {
	const text = JSON.stringify(request);
	const message = http.request(url, {
		method: 'POST', agent,
		headers: { ...headers, 'X-Amz-Target': `DynamoDB_20120810.${operation}`, 'Content-Length': Buffer.byteLength(text) }
	}, (reply) => {
		let body = '';

		reply.setEncoding('utf8').on('data', (part) => { body += part; }).on('end', () => {
			if (reply.statusCode === 200)
				resolve(JSON.parse(body));
			else
				reject(new Error(`${operation}: ${reply.statusCode} ${body}`));
		});
	});

	message.on('error', reject);
	message.end(text);
});

const load = async () => {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

	await call(agent, 'CreateTable', {
		TableName: 'bench', BillingMode: 'PAY_PER_REQUEST',
		AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'S' }],
		KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }]
	});
	while ((await call(agent, 'DescribeTable', { TableName: 'bench' })).Table.TableStatus !== 'ACTIVE')
		await new Promise((resolve) => setTimeout(resolve, 100));
	for (let p = 0; p < partitions; p++)
		await Promise.all(Array.from({ length: itemsEach }, (_, s) => call(agent, 'PutItem', {
			TableName: 'bench', Item: {
				pk: { S: `p${p}` }, sk: { S: `s${String(s).padStart(3, '0')}` }, n: { N: '0' }, name: { S: 'name' },
				flag: { BOOL: true }, text: { S: 'text of an item '.repeat(8) }, list: { L: [{ N: '1' }, { S: 'x' }] }
			}
		})));
	agent.destroy();
};

const idle = async () => {
	/* a hundred at a time, each on a connection of its own that is kept */
	const kept = [];
	for (let opened = 0; opened < Number(number); opened += 100)
		await Promise.all(Array.from({ length: 100 }, () => {
			const own = new http.Agent({ keepAlive: true, maxSockets: 1 });
			kept.push(own);
			return call(own, 'GetItem', { TableName: 'bench', Key: { pk: { S: 'p1' }, sk: { S: 's001' } } });
		}));
	console.log('open');
	process.stdin.resume().on('end', () => process.exit());
};

(what === 'load' ? load() : idle()).catch((error) => {
	console.error(error.message);
	process.exit(1);
});
