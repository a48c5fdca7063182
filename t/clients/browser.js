/*
 * Uses dynamodb-admin in a browser: lists tables, opens one, filters, edits an
 * item.  The endpoint's URL is in ENDPOINT, a free port for dynamodb-admin in
 * ADMIN_PORT, the browser's program in BROWSER.  Writes a picture of the
 * filtered table to SCREENSHOT if that is set.
 */
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { CreateTableCommand, DynamoDBClient } = require('@aws-sdk/client-dynamodb');
const { DynamoDBDocumentClient, GetCommand, PutCommand } = require('@aws-sdk/lib-dynamodb');
const { chromium } = require('playwright-core');

const endpoint = process.env.ENDPOINT;
const TableName = 'Music';
const site = `http://127.0.0.1:${process.env.ADMIN_PORT}`;
const client = new DynamoDBClient({ endpoint });
const documents = DynamoDBDocumentClient.from(client);
let admin, browser, page;

const songs = [
	['Nina Simone', 'Sinnerman', 1965], ['Nina Simone', 'Feeling Good', 1965], ['Nina Simone', "Ain't Got No, I Got Life", 1968],
	['Bill Withers', "Ain't No Sunshine", 1971], ['Bill Withers', 'Lean on Me', 1972], ['Ella Fitzgerald', 'Summertime', 1958],
	['Ella Fitzgerald', 'Misty', 1960], ['Billie Holiday', 'Strange Fruit', 1939]
];

before(async () => {
	for (const name of [TableName, 'Orders'])
		await client.send(new CreateTableCommand({
			TableName: name, BillingMode: 'PAY_PER_REQUEST',
			AttributeDefinitions: [
				{ AttributeName: 'Artist', AttributeType: 'S' }, { AttributeName: 'Song', AttributeType: 'S' }],
			KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }, { AttributeName: 'Song', KeyType: 'RANGE' }]
		}));
	for (const [Artist, Song, year] of songs)
		await documents.send(new PutCommand({ TableName, Item: { Artist, Song, year, plays: Song.length * 7 } }));

	const program = path.join(process.env.NODE_PATH, 'dynamodb-admin', 'dist', 'dynamodb-admin.js');
	admin = spawn(process.execPath, [program, '--host', '127.0.0.1', '--port', process.env.ADMIN_PORT,
		'--dynamo-endpoint', endpoint], { stdio: ['ignore', 'pipe', 'inherit'] });
	let said = '';
	while (!/listening/.test(said))
		said += (await once(admin.stdout, 'data'))[0];

	browser = await chromium.launch({
		executablePath: process.env.BROWSER,
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
			'--disable-component-update', '--disable-sync', '--no-proxy-server']
	});
	page = await browser.newPage({ viewport: { width: 1000, height: 760 } });
	page.setDefaultTimeout(60000);
});

after(async () => {
	await browser?.close();
	admin?.kill();
	client.destroy();
});

/* The texts of the rows that the open table shows. */
const rows = async () => {
	await page.waitForSelector('#items-container tr');
	return page.locator('#items-container tr').allInnerTexts();
};

test('lists tables', async () => {
	await page.goto(site);
	assert.deepEqual(await page.locator('#table-list li').evaluateAll((items) => items.map((item) => item.dataset.tableName)),
		[TableName, 'Orders']);
});

test('opens a table', async () => {
	await page.click(`#table-list a:text-is("${TableName}")`);
	assert.equal((await rows()).length, songs.length);
});

test('filters', async () => {
	await page.fill('.filter-row-key', 'year');
	await page.selectOption('.filter-row-type', 'N');
	await page.selectOption('.filter-row-operator', '>');
	await page.fill('.filter-row-value', '1964');
	await Promise.all([page.waitForURL(/filters=/), page.click('button[type=submit]')]);
	const found = await rows();
	assert.equal(found.length, songs.filter((song) => song[2] > 1964).length);
	assert.ok(found.every((row) => /19(65|68|71|72)/.test(row)));
	if (process.env.SCREENSHOT)
		await page.screenshot({ path: process.env.SCREENSHOT, scale: 'css' });
});

test('queries by key', async () => {
	const query = new URLSearchParams({
		operationType: 'query', queryableSelection: 'table', filters: JSON.stringify({
			Artist: { type: 'S', operator: '=', value: 'Nina Simone' }, Song: { type: 'S', operator: 'begins_with', value: 'S' } })
	});
	await page.goto(`${site}/tables/${TableName}?${query}`);
	const found = await rows();
	assert.equal(found.length, 1);
	assert.match(found[0], /Sinnerman/);
});

test('edits an item', async () => {
	await page.click('#items-container a:text-is("View")');
	await page.waitForSelector('.ace_content');
	const item = JSON.parse(await page.evaluate('editor.getValue()'));
	assert.equal(item.year, 1965);
	await page.evaluate((text) => editor.setValue(text), JSON.stringify({ ...item, plays: 1000, live: { takes: [1, 2] } }));
	await page.click('#saveButton');
	await page.waitForSelector('#saveButton.btn-success');
	const { Item } = await documents.send(new GetCommand({ TableName, Key: { Artist: 'Nina Simone', Song: 'Sinnerman' } }));
	assert.deepEqual(Item, { ...item, plays: 1000, live: { takes: [1, 2] } });
});

test('shows what the table is', async () => {
	await page.goto(`${site}/tables/${TableName}/meta`);
	assert.match(await page.evaluate('editor.getValue()'), /arn:aws:dynamodb:us-east-1:\d{12}:table\/Music/);
});
