# dynamo: DynamoDB semantics inside PostgreSQL

EXTENSION = dynamo
MODULE_big = dynamo
DATA = dynamo--1.0.sql
OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c src/*/*.c))
HEADERS_ALL = $(wildcard src/*.h src/*/*.h)

PG_CPPFLAGS = -I$(srcdir)/src
PG_CFLAGS = -Wno-declaration-after-statement
SHLIB_LINK = -lcjson

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# PGXS tracks no headers: every object depends on all of them
$(OBJS): $(HEADERS_ALL)
