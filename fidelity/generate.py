"""Random requests, well formed or slightly broken."""
import base64
import copy
import json


def key(name, kind):
    return {"AttributeName": name, "KeyType": kind}


def attribute(name, kind):
    return {"AttributeName": name, "AttributeType": kind}


def tables(prefix):
    """Every key type, and one table with indexes."""
    def table(name, attributes, schema, **more):
        return dict({"TableName": prefix + name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": schema,
                     "AttributeDefinitions": attributes}, **more)

    def index(name, schema, projection="ALL"):
        return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": projection}}

    hash_range = [key("p", "HASH"), key("r", "RANGE")]
    return [
        table(".s", [attribute("p", "S")], [key("p", "HASH")]),
        table(".ss", [attribute("p", "S"), attribute("r", "S")], hash_range),
        table(".sn", [attribute("p", "S"), attribute("r", "N")], hash_range),
        table(".sb", [attribute("p", "S"), attribute("r", "B")], hash_range),
        table(".ix", [attribute("p", "S"), attribute("r", "S"), attribute("g", "S"), attribute("h", "N")], hash_range,
              GlobalSecondaryIndexes=[index("ghi", [key("g", "HASH"), key("h", "RANGE")]),
                                      index("gki", [key("g", "HASH")], "KEYS_ONLY")],
              LocalSecondaryIndexes=[index("lhi", [key("p", "HASH"), key("h", "RANGE")])]),
    ]


SORT = {".ss": "S", ".sn": "N", ".sb": "B", ".ix": "S"}
NAMES = ["a", "b", "c", "d", "m", "l", "g", "h", "x.y", "n"]
STRINGS = ["", "a", "b", "ab", "abc", "B", "\u00e9", "\u4e2d", "zz", "0", "10"]
NUMBERS = ["0", "1", "2", "-1", "10", "1.5", "-0.25", "1e3", "100", "3.14159", "12345678901234567890123456789012345678",
           "1e100", "0.001", "007", "+5", "-0"]
BAD_NUMBERS = ["", "x", "1e126", "-1e126", "1e-131", "123456789012345678901234567890123456789", "1.2.3", "1e", "NaN", " 1"]
BYTES = [b"", b"a", b"ab", b"\x00", b"\xff\x00", b"abc"]
WORDS = ["#a", ":v0", "a", "b", "AND", "OR", "NOT", "(", ")", "=", "<>", "<", ">=", ",", "[0]", ".", "SET", "REMOVE", "ADD",
         "size", "contains", "begins_with(", "IN", "BETWEEN", "+", "-", "status", "attribute_exists", "if_not_exists", "!", "1"]


def sort_values(kind):
    """All values of a sort key; [None] of a table without."""
    if kind == "S":
        return [{"S": value} for value in ("a", "ab", "b", "c", "zz")]
    if kind == "N":
        return [{"N": value} for value in ("0", "1", "2", "-1", "10", "1.5")]
    if kind == "B":
        return [{"B": base64.b64encode(value).decode()} for value in (b"a", b"ab", b"b", b"\xff")]
    return [None]


class Maker:
    def __init__(self, random, prefix, space):
        self.random, self.prefix, self.space = random, prefix, space
        self.table = None

    # ---- values ----

    def chance(self, share):
        return self.random.random() < share

    def bytes(self):
        return base64.b64encode(self.random.choice(BYTES)).decode()

    def number(self):
        return self.random.choice(BAD_NUMBERS if self.chance(0.01) else NUMBERS)

    def scalar(self):
        return self.random.choice([
            lambda: {"S": self.random.choice(STRINGS)}, lambda: {"N": self.number()}, lambda: {"B": self.bytes()},
            lambda: {"BOOL": self.chance(0.5)}, lambda: {"NULL": True}])()

    def value(self, depth=0):
        r = self.random.random()
        if r < 0.6 or depth > 2:
            return self.scalar()
        if r < 0.7:
            return self.set()
        if r < 0.85:
            return {"L": [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]}
        if r < 0.985:
            return {"M": {self.random.choice(NAMES): self.value(depth + 1) for _ in range(self.random.randint(0, 3))}}
        return self.random.choice([{}, {"NULL": False}, {"SS": []}, {"SS": ["a", "a"]}, {"NS": ["1", "1.0"]}, {"BS": []},
                                   {"S": "a", "N": "1"}, {"X": "a"}])

    def set(self):
        return self.random.choice([
            lambda: {"SS": self.random.sample(["a", "b", "c", "ab"], self.random.randint(1, 3))},
            lambda: {"NS": self.random.sample(["1", "2", "3", "10"], self.random.randint(1, 3))},
            lambda: {"BS": self.random.sample(["YQ==", "Yg==", "YWI="], self.random.randint(1, 2))}])()

    # ---- keys ----

    def pick_table(self):
        self.table = self.random.choice([".s", ".ss", ".ss", ".sn", ".sb", ".ix", ".ix"])

    def sort_value(self):
        return dict(self.random.choice(sort_values(SORT[self.table])))

    def key(self):
        made = {"p": {"S": self.space + self.random.choice("xy")}}
        if self.table in SORT:
            made["r"] = self.sort_value()
        r = self.random.random()
        if r < 0.01:
            made.pop(self.random.choice(list(made)))
        elif r < 0.02:
            # of the wrong type or empty: another key would lie in nobody's key space
            name = self.random.choice(list(made))
            value = self.value()
            made[name] = {"S": ""} if set(value) <= set(made[name]) else value
        elif r < 0.03:
            made["extra"] = {"S": "x"}
        return made

    def item(self):
        made = {self.random.choice(NAMES): self.value() for _ in range(self.random.randint(0, 5))}
        if self.table == ".ix":
            if self.chance(0.6):
                made["g"] = {"S": self.space + self.random.choice("xy")}
            elif not self.chance(0.02):
                made.pop("g", None)
            if self.chance(0.6):
                made["h"] = {"N": self.random.choice(["1", "2", "3"])}
            elif not self.chance(0.02):
                made.pop("h", None)
        made.update(self.key())
        return made

    # ---- expressions ----

    def start_expressions(self):
        self.names, self.values = {}, {}

    def name(self):
        name = self.random.choice(NAMES)
        if name not in ("x.y", "n") and self.chance(0.5):
            return name
        placeholder = "#" + name.replace(".", "")
        self.names[placeholder] = name
        return placeholder

    def path(self):
        text = self.name()
        while self.chance(0.25):
            text += "[%d]" % self.random.randint(0, 2) if self.chance(0.5) else "." + self.name()
        return text

    def literal(self, value=None):
        placeholder = ":v%d" % len(self.values)
        self.values[placeholder] = value if value is not None else self.value(1)
        return placeholder

    def operand(self):
        r = self.random.random()
        if r < 0.5:
            return self.path()
        if r < 0.9:
            return self.literal()
        return "size(%s)" % self.path()

    def primary(self, depth):
        r = self.random.random()
        if r < 0.45:
            return "%s %s %s" % (self.operand(), self.random.choice(["=", "<>", "<", "<=", ">", ">="]), self.operand())
        if r < 0.53:
            return "%s BETWEEN %s AND %s" % (self.path(), self.literal(self.scalar()), self.literal(self.scalar()))
        if r < 0.6:
            return "%s IN (%s)" % (self.path(), ", ".join(self.literal() for _ in range(self.random.randint(1, 3))))
        if r < 0.7:
            return "attribute_%sexists(%s)" % (self.random.choice(["", "not_"]), self.path())
        if r < 0.76:
            kind = self.random.choice(["S", "N", "B", "SS", "L", "M", "NULL", "BOOL", "X"] if self.chance(0.1) else ["S", "N", "L", "M"])
            return "attribute_type(%s, %s)" % (self.path(), self.literal({"S": kind}))
        if r < 0.84:
            return "begins_with(%s, %s)" % (self.path(), self.literal(self.random.choice([{"S": "a"}, {"B": "YQ=="}, self.scalar()])))
        if r < 0.92:
            return "contains(%s, %s)" % (self.path(), self.operand())
        return "(%s)" % self.condition(depth + 1)

    def condition(self, depth=0):
        text = self.primary(depth)
        if self.chance(0.12):
            text = "NOT " + text
        if depth < 3 and self.chance(0.35):
            text += " %s %s" % (self.random.choice(["AND", "OR", "and"]), self.condition(depth + 1))
        return self.broken(text)

    def broken(self, text):
        """Now and then a token too many, too few, or another."""
        if not self.chance(0.02):
            return text
        tokens = text.split(" ")
        at = self.random.randrange(len(tokens))
        r = self.random.random()
        if r < 0.4:
            tokens.pop(at)
        elif r < 0.8:
            tokens.insert(at, self.random.choice(WORDS))
        else:
            tokens[at] = self.random.choice(WORDS)
        return " ".join(tokens)

    def set_value(self):
        r = self.random.random()
        if r < 0.5:
            return self.literal()
        if r < 0.6:
            return self.path()
        if r < 0.8:
            return "%s %s %s" % (self.random.choice([self.path(), "if_not_exists(%s, %s)" % (self.path(), self.literal({"N": "0"}))]),
                                 self.random.choice("+-"), self.literal({"N": self.number()} if self.chance(0.9) else None))
        if r < 0.9:
            return "if_not_exists(%s, %s)" % (self.path(), self.literal())
        return "list_append(%s, %s)" % (self.path(), self.literal({"L": [self.scalar()]} if self.chance(0.9) else None))

    def update(self):
        sections = self.random.sample(["SET", "REMOVE", "ADD", "DELETE"], self.random.choice([1, 1, 1, 2, 3]))
        parts = []
        for section in sections:
            actions = []
            for _ in range(self.random.choice([1, 1, 2])):
                if section == "SET":
                    actions.append("%s = %s" % (self.path(), self.set_value()))
                elif section == "REMOVE":
                    actions.append(self.path())
                elif section == "ADD":
                    actions.append("%s %s" % (self.path(), self.literal(self.random.choice([{"N": self.number()}, self.set()]) if self.chance(0.9) else None)))
                else:
                    actions.append("%s %s" % (self.path(), self.literal(self.set() if self.chance(0.9) else None)))
            parts.append("%s %s" % (section, ", ".join(actions)))
        return self.broken(" ".join(parts))

    def projection(self):
        return self.broken(", ".join(self.path() for _ in range(self.random.randint(1, 3))))

    def add_placeholders(self, request):
        if self.chance(0.01):
            self.names["#unused"] = "u"
        if self.chance(0.01):
            self.values[":unused"] = {"S": "u"}
        if self.values and self.chance(0.01):
            self.values.pop(self.random.choice(list(self.values)))
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.values:
            request["ExpressionAttributeValues"] = self.values

    # ---- the older parameters ----

    def older_condition(self):
        operator = self.random.choice(["EQ", "NE", "LT", "LE", "GT", "GE", "IN", "BETWEEN", "NULL", "NOT_NULL", "CONTAINS",
                                       "NOT_CONTAINS", "BEGINS_WITH"])
        count = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2, "IN": self.random.randint(1, 2)}.get(operator, 1)
        if self.chance(0.03):
            count = self.random.randint(0, 2)
        values = [self.scalar() for _ in range(count)]
        if count == 2 and self.chance(0.9):
            values[1] = copy.deepcopy(values[0])
        made = {"ComparisonOperator": operator}
        if values:
            made["AttributeValueList"] = values
        return made

    def older_conditions(self):
        return {self.random.choice(NAMES): self.older_condition() for _ in range(self.random.choice([1, 1, 2]))}

    def expected(self):
        made = {}
        for _ in range(self.random.choice([1, 1, 2])):
            name = self.random.choice(NAMES)
            r = self.random.random()
            if r < 0.3:
                made[name] = {"Value": self.value(1)}
            elif r < 0.5:
                made[name] = {"Exists": False}
            else:
                made[name] = self.older_condition()
        return made

    def attribute_updates(self):
        made = {}
        for _ in range(self.random.choice([1, 1, 2, 3])):
            action = self.random.choice(["PUT", "ADD", "DELETE", "DELETE", None])
            update = {} if action is None else {"Action": action}
            if action != "DELETE" or self.chance(0.4):
                update["Value"] = {"ADD": lambda: self.random.choice([{"N": "1"}, self.set(), {"L": [self.scalar()]}]),
                                   "DELETE": self.set}.get(action, self.value)()
            made[self.random.choice(NAMES)] = update
        return made

    # ---- requests ----

    def return_values(self, request, words):
        if self.chance(0.5):
            request["ReturnValues"] = self.random.choice(words)

    def with_condition(self, request):
        if self.chance(0.3):
            request["ConditionExpression"] = self.condition()
            if self.chance(0.3):
                request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        elif self.chance(0.1):
            request["Expected"] = self.expected()
            if self.chance(0.2):
                request["ConditionalOperator"] = self.random.choice(["AND", "OR"])
            return False
        return True

    def put_item(self):
        request = {"Item": self.item()}
        self.with_condition(request)
        self.return_values(request, ["NONE", "ALL_OLD", "ALL_OLD", "ALL_NEW"] if self.chance(0.02) else ["NONE", "ALL_OLD"])
        return request

    def update_item(self):
        request = {"Key": self.key()}
        if self.chance(0.85):
            request["UpdateExpression"] = self.update()
            if self.chance(0.3):
                request["ConditionExpression"] = self.condition()
        else:
            request["AttributeUpdates"] = self.attribute_updates()
            if self.chance(0.3):
                request["Expected"] = self.expected()
        self.return_values(request, ["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"])
        return request

    def delete_item(self):
        request = {"Key": self.key()}
        self.with_condition(request)
        self.return_values(request, ["NONE", "ALL_OLD"])
        return request

    def get_item(self):
        request = {"Key": self.key(), "ConsistentRead": True}
        if self.chance(0.4):
            request["ProjectionExpression"] = self.projection()
        elif self.chance(0.1):
            request["AttributesToGet"] = self.random.sample(NAMES, 2)
        return request

    def key_condition(self):
        if self.table == ".ix" and self.chance(0.5):
            index = self.random.choice(["ghi", "gki", "lhi"])
            name = "p" if index == "lhi" else "g"
            value = {"S": self.space + self.random.choice("xy")}
            sort, kind = ("h", "N") if index != "gki" else (None, None)
        else:
            index, name, value = None, "p", {"S": self.space + self.random.choice("xy")}
            sort, kind = ("r", SORT.get(self.table)) if self.table in SORT else (None, None)
        text = "%s = %s" % (name, self.literal(value))
        if sort and self.chance(0.6):
            def operand():
                return self.literal({"N": self.random.choice(["1", "2", "0"])} if kind == "N" else self.sort_value())
            r = self.random.random()
            if r < 0.5:
                text += " AND %s %s %s" % (sort, self.random.choice(["=", "<", "<=", ">", ">="]), operand())
            elif r < 0.75:
                text += " AND %s BETWEEN %s AND %s" % (sort, operand(), operand())
            else:
                text += " AND begins_with(%s, %s)" % (sort, operand())
        return index, self.broken(text)

    def page(self, request, filter_name):
        if self.chance(0.3):
            request["FilterExpression"] = self.condition()
        if self.chance(0.2):
            request["ProjectionExpression"] = self.projection()
        if self.chance(0.2):
            request["Limit"] = self.random.choice([0, 1, 2, 3]) if self.chance(0.1) else self.random.choice([1, 2, 3])
        if self.chance(0.1):
            request["Select"] = self.random.choice(["COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"])

    def query(self):
        request = {}
        index, text = self.key_condition()
        request["KeyConditionExpression"] = text
        if index:
            request["IndexName"] = index
        self.page(request, "QueryFilter")
        if self.chance(0.3):
            request["ScanIndexForward"] = self.chance(0.5)
        return request

    def older_query(self):
        request = {"KeyConditions": {"p": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": self.space + "x"}]}}}
        if self.table in SORT and self.chance(0.5):
            operator = self.random.choice(["EQ", "LT", "LE", "GT", "GE", "BEGINS_WITH", "BETWEEN", "NE"])
            count = 2 if operator == "BETWEEN" else 1
            request["KeyConditions"]["r"] = {"ComparisonOperator": operator, "AttributeValueList": [self.sort_value() for _ in range(count)]}
        if self.chance(0.5):
            request["QueryFilter"] = self.older_conditions()
        return request

    def scan(self):
        # only this key space is the same on both sides
        request = {"FilterExpression": "begins_with(p, %s) AND (%s)" % (self.literal({"S": self.space}), self.condition(2))}
        if self.chance(0.2):
            request["ProjectionExpression"] = self.projection()
        if self.table == ".ix" and self.chance(0.5):
            request["IndexName"] = self.random.choice(["ghi", "lhi"])
        return request

    def older_scan(self):
        filters = {"p": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"S": self.space}]}}
        filters.update({k: v for k, v in self.older_conditions().items() if k != "p"})
        return {"ScanFilter": filters}

    def batch_write(self):
        requests = []
        for _ in range(self.random.randint(1, 3)):
            requests.append({"PutRequest": {"Item": self.item()}} if self.chance(0.7) else {"DeleteRequest": {"Key": self.key()}})
        return {"RequestItems": {self.prefix + self.table: requests}}

    def batch_get(self):
        made = {"Keys": [self.key() for _ in range(self.random.randint(1, 3))]}
        if self.chance(0.3):
            made["ProjectionExpression"] = self.projection()
            if self.names:
                made["ExpressionAttributeNames"] = self.names
        return {"RequestItems": {self.prefix + self.table: made}}

    def transact_write(self):
        actions = []
        for _ in range(self.random.randint(1, 3)):
            self.pick_table()
            self.start_expressions()
            kind = self.random.choice(["Put", "Update", "Delete", "ConditionCheck"])
            action = {"TableName": self.prefix + self.table}
            if kind == "Put":
                action["Item"] = self.item()
            else:
                action["Key"] = self.key()
            if kind == "Update":
                action["UpdateExpression"] = self.update()
            if kind == "ConditionCheck" or self.chance(0.3):
                action["ConditionExpression"] = self.condition()
            self.add_placeholders(action)
            actions.append({kind: action})
        return {"TransactItems": actions}

    def transact_get(self):
        gets = []
        for _ in range(self.random.randint(1, 3)):
            self.pick_table()
            self.start_expressions()
            get = {"TableName": self.prefix + self.table, "Key": self.key()}
            if self.chance(0.3):
                get["ProjectionExpression"] = self.projection()
                if self.names:
                    get["ExpressionAttributeNames"] = self.names
            gets.append({"Get": get})
        return {"TransactItems": gets}

    def request(self):
        self.pick_table()
        self.start_expressions()
        operation, make, own_table = self.random.choices([
            ("PutItem", self.put_item, True), ("UpdateItem", self.update_item, True), ("DeleteItem", self.delete_item, True),
            ("GetItem", self.get_item, True), ("Query", self.query, True), ("Query", self.older_query, True),
            ("Scan", self.scan, True), ("Scan", self.older_scan, True), ("BatchWriteItem", self.batch_write, False),
            ("BatchGetItem", self.batch_get, False), ("TransactWriteItems", self.transact_write, False),
            ("TransactGetItems", self.transact_get, False)],
            [20, 28, 4, 10, 14, 3, 4, 2, 4, 3, 6, 2])[0]
        request = make()
        if own_table:
            request["TableName"] = self.prefix + self.table
            self.add_placeholders(request)
            if self.chance(0.005):
                request["TableName"] = "nowhere"
        return operation, json.loads(json.dumps(request))


def cleaning(prefix, space):
    """Requests that delete every item of a key space."""
    deletes = []
    for table in [".s", *SORT]:
        for p in "xy":
            for value in sort_values(SORT.get(table)):
                key = {"p": {"S": space + p}}
                if value is not None:
                    key["r"] = value
                deletes.append((prefix + table, {"DeleteRequest": {"Key": key}}))
    for start in range(0, len(deletes), 25):
        requests = {}
        for table, delete in deletes[start:start + 25]:
            requests.setdefault(table, []).append(delete)
        yield "BatchWriteItem", {"RequestItems": requests}


def removals(operation, request):
    """Table and key of each update of the request that only removes."""
    if operation == "TransactWriteItems":
        updates = [action["Update"] for action in request["TransactItems"] if "Update" in action]
    else:
        updates = [request] if operation == "UpdateItem" else []
    for update in updates:
        expression = update.get("UpdateExpression", "SET")
        older = update.get("AttributeUpdates", {"": {}})
        if not ("SET" in expression or "ADD" in expression) or \
                all(made.get("Action") == "DELETE" for made in older.values()):
            yield {"TableName": update["TableName"], "Key": update["Key"]}


# ---- shrinking ----

def paths(value, prefix=()):
    """Paths of members and elements, outer ones first."""
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    else:
        return
    for step, child in inner:
        yield prefix + (step,)
    for step, child in inner:
        yield from paths(child, prefix + (step,))


def without(value, path):
    """A copy without what is at the path; None if it is not there."""
    made = copy.deepcopy(value)
    at = made
    try:
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return made
