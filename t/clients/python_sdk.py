"""Tests of the endpoint with boto3, resource and client layer.

Speaks TAP.  The endpoint's URL is in ENDPOINT, SQL functions that exist can be
asked for with psql through CONNECTION.
"""
import decimal
import os
import subprocess
import sys
import unittest

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ['ENDPOINT']
Number = decimal.Decimal


def operations():
    """The names of the operations' SQL functions in this build."""
    return set(subprocess.run(
        ['psql', '-X', '-A', '-t', '-d', os.environ['CONNECTION'], '-c',
         "SELECT proname FROM pg_proc WHERE pronamespace = 'dynamo'::regnamespace"],
        check=True, capture_output=True, text=True).stdout.split())


OPERATIONS = operations()
resource = boto3.resource('dynamodb', endpoint_url=ENDPOINT)
client = boto3.client('dynamodb', endpoint_url=ENDPOINT)


def create_table(name, sort_type='N'):
    table = resource.create_table(
        TableName=name,
        BillingMode='PAY_PER_REQUEST',
        AttributeDefinitions=[
            {'AttributeName': 'owner', 'AttributeType': 'S'},
            {'AttributeName': 'number', 'AttributeType': sort_type},
            {'AttributeName': 'colour', 'AttributeType': 'S'}],
        KeySchema=[
            {'AttributeName': 'owner', 'KeyType': 'HASH'},
            {'AttributeName': 'number', 'KeyType': 'RANGE'}],
        GlobalSecondaryIndexes=[{
            'IndexName': 'by_colour',
            'KeySchema': [{'AttributeName': 'colour', 'KeyType': 'HASH'}],
            'Projection': {'ProjectionType': 'ALL'}}])
    table.wait_until_exists()
    return table


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table(cls.__name__)

    @classmethod
    def tearDownClass(cls):
        cls.table.delete()
        cls.table.wait_until_not_exists()

    def refused(self, code):
        """A block that must be refused with this error code."""
        return Refused(self, code)


class Refused:
    def __init__(self, test, code):
        self.test = test
        self.code = code

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.test.assertIsInstance(error, ClientError)
        self.response = error.response
        self.test.assertEqual(error.response['Error']['Code'], self.code)
        return True


class TypesTest(ClientTest):
    item = {
        'owner': 'types', 'number': 1,
        'string': 'ångström \U0001f600', 'empty': '', 'control': 'a\x00b\x01c',
        'exact': Number('12345678901234567890.123456789012345678'),
        'tiny': Number('1E-130'), 'huge': Number('9' * 38),
        'true': True, 'nothing': None, 'bytes': Binary(b'\x00\xff\x80'),
        'strings': {'b', 'a'}, 'numbers': {Number('1.5'), Number(-2)}, 'binaries': {Binary(b'x'), Binary(b'')},
        'list': [Number(1), 'two', [None]], 'map': {'$ss': ['x'], 'deeper': {}}}

    def test_every_type_comes_back(self):
        self.table.put_item(Item=self.item)
        self.assertEqual(self.table.get_item(Key={'owner': 'types', 'number': 1})['Item'], self.item)

    def test_client_layer_has_type_descriptors(self):
        serialize, deserialize = TypeSerializer().serialize, TypeDeserializer().deserialize
        item = {name: serialize(value) for name, value in dict(self.item, number=2).items()}
        client.put_item(TableName=self.table.name, Item=item)
        found = client.get_item(
            TableName=self.table.name, Key={'owner': item['owner'], 'number': item['number']}, ConsistentRead=True)['Item']
        self.assertEqual(found['bytes'], {'B': b'\x00\xff\x80'})
        self.assertEqual({name: deserialize(value) for name, value in found.items()}, dict(self.item, number=2))

    def test_number_with_too_many_digits(self):
        with self.refused('ValidationException'):
            client.put_item(TableName=self.table.name, Item={
                'owner': {'S': 'types'}, 'number': {'N': '3'}, 'n': {'N': '1' * 39}})


class ItemsTest(ClientTest):
    def test_update_returns_new_values(self):
        key = {'owner': 'update', 'number': 1}
        self.table.put_item(Item=dict(key, count=1, tags={'a'}))
        answer = self.table.update_item(
            Key=key, UpdateExpression='SET #c = #c + :one, seen = :t ADD tags :new REMOVE gone',
            ExpressionAttributeNames={'#c': 'count'},
            ExpressionAttributeValues={':one': 1, ':t': True, ':new': {'b'}}, ReturnValues='ALL_NEW')
        self.assertEqual(answer['Attributes'], dict(key, count=2, tags={'a', 'b'}, seen=True))

    def test_delete_returns_old_item(self):
        key = {'owner': 'delete', 'number': 1}
        self.table.put_item(Item=dict(key, x='y'))
        self.assertEqual(self.table.delete_item(Key=key, ReturnValues='ALL_OLD')['Attributes'], dict(key, x='y'))
        self.assertNotIn('Item', self.table.get_item(Key=key))

    def test_failed_condition(self):
        key = {'owner': 'condition', 'number': 1}
        self.table.put_item(Item=key, ConditionExpression=Attr('owner').not_exists())
        with self.refused('ConditionalCheckFailedException') as refusal:
            self.table.put_item(Item=key, ConditionExpression=Attr('owner').not_exists())
        self.assertEqual(refusal.response['Error']['Message'], 'The conditional request failed')
        self.assertEqual(refusal.response['ResponseMetadata']['HTTPStatusCode'], 400)
        with self.assertRaises(client.exceptions.ConditionalCheckFailedException):
            client.delete_item(
                TableName=self.table.name, Key={'owner': {'S': 'condition'}, 'number': {'N': '1'}},
                ConditionExpression='attribute_exists(absent)')

    def test_consumed_capacity(self):
        answer = self.table.put_item(
            Item={'owner': 'capacity', 'number': 1, 'colour': 'red', 'data': 'x' * 1500}, ReturnConsumedCapacity='INDEXES')
        capacity = answer['ConsumedCapacity']
        self.assertEqual(capacity['CapacityUnits'], 4)
        self.assertEqual(capacity['Table']['CapacityUnits'], 2)
        self.assertEqual(capacity['GlobalSecondaryIndexes']['by_colour']['CapacityUnits'], 2)

    def test_reply_headers(self):
        answer = client.list_tables()['ResponseMetadata']
        self.assertRegex(answer['RequestId'], '^[0-9A-Z]{52}$')
        self.assertEqual(answer['RequestId'], answer['HTTPHeaders']['x-amzn-requestid'])
        self.assertIn('x-amz-crc32', answer['HTTPHeaders'])
        self.assertEqual(answer['RetryAttempts'], 0)

    def test_large_item(self):
        item = {'owner': 'large', 'number': 1, 'data': 'x' * 400000}
        self.table.put_item(Item=item)
        self.assertEqual(self.table.get_item(Key={'owner': 'large', 'number': 1})['Item'], item)
        with self.refused('ValidationException'):
            self.table.put_item(Item=dict(item, data='x' * 410000))


class PagesTest(ClientTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for number in range(25):
            cls.table.put_item(Item={
                'owner': 'pages', 'number': number, 'colour': 'green' if number % 5 else 'red'})

    def test_query_with_conditions(self):
        answer = self.table.query(
            KeyConditionExpression=Key('owner').eq('pages') & Key('number').between(3, 12),
            FilterExpression=Attr('colour').eq('red'), ScanIndexForward=False)
        self.assertEqual([item['number'] for item in answer['Items']], [10, 5])
        self.assertEqual((answer['Count'], answer['ScannedCount']), (2, 10))

    def test_query_of_an_index(self):
        answer = self.table.query(IndexName='by_colour', KeyConditionExpression=Key('colour').eq('red'))
        self.assertEqual(sorted(item['number'] for item in answer['Items']), [0, 5, 10, 15, 20])

    def test_pages_by_hand(self):
        numbers, arguments = [], {}
        while True:
            answer = self.table.query(KeyConditionExpression=Key('owner').eq('pages'), Limit=7, **arguments)
            numbers += [int(item['number']) for item in answer['Items']]
            if 'LastEvaluatedKey' not in answer:
                break
            self.assertEqual(answer['LastEvaluatedKey'], {'owner': 'pages', 'number': numbers[-1]})
            arguments = {'ExclusiveStartKey': answer['LastEvaluatedKey']}
        self.assertEqual(numbers, list(range(25)))

    def test_query_paginator(self):
        pages = list(client.get_paginator('query').paginate(
            TableName=self.table.name, KeyConditionExpression='#o = :o', ExpressionAttributeNames={'#o': 'owner'},
            ExpressionAttributeValues={':o': {'S': 'pages'}}, PaginationConfig={'PageSize': 10}))
        self.assertEqual([page['Count'] for page in pages], [10, 10, 5])

    def test_scan_paginator(self):
        items = client.get_paginator('scan').paginate(
            TableName=self.table.name, PaginationConfig={'PageSize': 4}).build_full_result()['Items']
        self.assertEqual(sorted(int(item['number']['N']) for item in items), list(range(25)))

    def test_segments_cover_the_table_once(self):
        numbers = [item['number'] for segment in range(3)
                   for item in self.table.scan(TotalSegments=3, Segment=segment)['Items']]
        self.assertEqual(sorted(numbers), list(range(25)))

    def test_list_tables_paginator(self):
        others = [create_table('listed_%d' % i).name for i in range(2)]
        names = client.get_paginator('list_tables').paginate(
            PaginationConfig={'PageSize': 1}).build_full_result()['TableNames']
        self.assertEqual(names, sorted(others + [self.table.name]))
        for name in others:
            client.delete_table(TableName=name)


class TablesTest(ClientTest):
    def test_attributes_of_the_resource(self):
        self.table.reload()
        self.assertEqual(self.table.table_status, 'ACTIVE')
        self.assertEqual(self.table.global_secondary_indexes[0]['IndexName'], 'by_colour')
        self.assertRegex(self.table.table_arn, r'^arn:aws:dynamodb:us-east-1:\d{12}:table/TablesTest$')

    def test_second_creation(self):
        with self.refused('ResourceInUseException'):
            create_table('TablesTest')

    def test_absent_table(self):
        with self.assertRaises(client.exceptions.ResourceNotFoundException):
            client.describe_table(TableName='absent')

    def test_tags(self):
        arn = self.table.table_arn
        client.tag_resource(ResourceArn=arn, Tags=[{'Key': 'a', 'Value': '1'}, {'Key': 'b', 'Value': '2'}])
        client.untag_resource(ResourceArn=arn, TagKeys=['a'])
        self.assertEqual(client.list_tags_of_resource(ResourceArn=arn)['Tags'], [{'Key': 'b', 'Value': '2'}])


@unittest.skipUnless({'batch_write_item', 'batch_get_item'} <= OPERATIONS, 'no batches in this build')
class BatchesTest(ClientTest):
    def test_batch_writer(self):
        with self.table.batch_writer(overwrite_by_pkeys=['owner', 'number']) as batch:
            for number in range(60):
                batch.put_item(Item={'owner': 'batch', 'number': number})
            batch.put_item(Item={'owner': 'batch', 'number': 59, 'twice': True})
            batch.delete_item(Key={'owner': 'batch', 'number': 0})
        items = self.table.query(KeyConditionExpression=Key('owner').eq('batch'))['Items']
        self.assertEqual([item['number'] for item in items], list(range(1, 60)))
        self.assertTrue(items[-1]['twice'])

    def test_batch_get(self):
        keys = [{'owner': 'get', 'number': number} for number in range(3)]
        for key in keys[:2]:
            self.table.put_item(Item=key)
        answer = resource.batch_get_item(RequestItems={self.table.name: {'Keys': keys}})
        self.assertEqual(sorted(answer['Responses'][self.table.name], key=lambda item: item['number']), keys[:2])
        self.assertEqual(answer['UnprocessedKeys'], {})


@unittest.skipUnless({'transact_write_items', 'transact_get_items'} <= OPERATIONS, 'no transactions in this build')
class TransactionsTest(ClientTest):
    @staticmethod
    def key(number):
        return {'owner': {'S': 'transaction'}, 'number': {'N': str(number)}}

    def put(self, number, **more):
        return {'Put': dict(TableName=self.table.name, Item=self.key(number), **more)}

    def test_all_or_nothing(self):
        client.transact_write_items(TransactItems=[self.put(1), self.put(2)])
        with self.refused('TransactionCanceledException') as refusal:
            client.transact_write_items(TransactItems=[
                self.put(3), self.put(1, ConditionExpression='attribute_not_exists(#o)',
                                      ExpressionAttributeNames={'#o': 'owner'})])
        self.assertEqual([reason['Code'] for reason in refusal.response['CancellationReasons']],
                         ['None', 'ConditionalCheckFailed'])
        answer = client.transact_get_items(TransactItems=[
            {'Get': {'TableName': self.table.name, 'Key': self.key(number)}} for number in (1, 2, 3)])
        self.assertEqual([response.get('Item') for response in answer['Responses']], [self.key(1), self.key(2), None])

    def test_client_request_token(self):
        add = {'Update': {
            'TableName': self.table.name, 'Key': self.key(9), 'UpdateExpression': 'ADD n :one',
            'ExpressionAttributeValues': {':one': {'N': '1'}}}}
        for _ in range(2):
            client.transact_write_items(TransactItems=[add], ClientRequestToken='the-same-token')
        self.assertEqual(client.get_item(TableName=self.table.name, Key=self.key(9))['Item']['n'], {'N': '1'})


@unittest.skipUnless('execute_statement' in OPERATIONS, 'no PartiQL in this build')
class StatementsTest(ClientTest):
    def test_insert_and_select(self):
        client.execute_statement(
            Statement='INSERT INTO "StatementsTest" VALUE {\'owner\': ?, \'number\': ?}',
            Parameters=[{'S': 'partiql'}, {'N': '1'}])
        self.assertEqual(
            client.execute_statement(
                Statement='SELECT * FROM "StatementsTest" WHERE "owner" = ?', Parameters=[{'S': 'partiql'}])['Items'],
            [{'owner': {'S': 'partiql'}, 'number': {'N': '1'}}])


@unittest.skipUnless('get_records' in OPERATIONS, 'no streams in this build')
class StreamsTest(ClientTest):
    def test_records_of_writes(self):
        streams = boto3.client('dynamodbstreams', endpoint_url=ENDPOINT)
        client.update_table(TableName=self.table.name, StreamSpecification={
            'StreamEnabled': True, 'StreamViewType': 'NEW_AND_OLD_IMAGES'})
        self.table.put_item(Item={'owner': 'stream', 'number': 1, 'x': 'old'})
        self.table.put_item(Item={'owner': 'stream', 'number': 1, 'x': 'new'})
        self.table.delete_item(Key={'owner': 'stream', 'number': 1})

        arn = streams.list_streams(TableName=self.table.name)['Streams'][0]['StreamArn']
        records = []
        for shard in streams.describe_stream(StreamArn=arn)['StreamDescription']['Shards']:
            iterator = streams.get_shard_iterator(
                StreamArn=arn, ShardId=shard['ShardId'], ShardIteratorType='TRIM_HORIZON')['ShardIterator']
            records += streams.get_records(ShardIterator=iterator)['Records']
        self.assertEqual([record['eventName'] for record in records], ['INSERT', 'MODIFY', 'REMOVE'])
        self.assertEqual(records[1]['dynamodb']['OldImage']['x'], {'S': 'old'})
        self.assertEqual(records[1]['dynamodb']['NewImage']['x'], {'S': 'new'})


class RetryModesTest(ClientTest):
    def test_every_retry_mode(self):
        for mode in ('legacy', 'standard', 'adaptive'):
            other = boto3.client('dynamodb', endpoint_url=ENDPOINT, config=Config(retries={'mode': mode}))
            self.assertIn(self.table.name, other.list_tables()['TableNames'])


class TapResult(unittest.TextTestResult):
    """Writes a line of TAP for each test."""

    def tap(self, fine, test, more=''):
        print('%sok %d - %s%s' % ('' if fine else 'not ', self.testsRun, test.id().replace('__main__.', ''), more), flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.tap(True, test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.tap(False, test)

    def addError(self, test, error):
        super().addError(test, error)
        self.tap(False, test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.tap(True, test, ' # skip ' + reason)


if __name__ == '__main__':
    result = unittest.TextTestRunner(sys.stderr, resultclass=TapResult, verbosity=0).run(
        unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    sys.exit(not result.wasSuccessful())
