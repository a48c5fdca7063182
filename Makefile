# dynamo: DynamoDB semantics inside PostgreSQL
#
#   make, make install, make installcheck   as in any PGXS extension
#   make setup                              installs the Debian packages needed
#   make test                               set-up, then every test
#   make demo, make demo-stop               the example, in a cluster of its own
#   make fidelity                           random requests, compared with DynamoDB Local

EXTENSION = dynamo
MODULE_big = dynamo
DATA = $(wildcard dynamo--*.sql)
OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/*.c src/*/*.c)))

# every file is a test: none has to be listed, none can be forgotten
REGRESS = $(sort $(patsubst sql/%.sql,%,$(wildcard sql/*.sql)))
ISOLATION = $(sort $(patsubst specs/%.spec,%,$(wildcard specs/*.spec)))
TAP_TESTS = $(if $(wildcard t/*.pl),1)
REGRESS_OPTS = --load-extension=dynamo --encoding=UTF8
ISOLATION_OPTS = --load-extension=dynamo --encoding=UTF8

# before PostgreSQL's own headers: none of ours may have the path of one of them
PG_CPPFLAGS = -I$(srcdir)/src
PG_CFLAGS = -Wno-declaration-after-statement
SHLIB_LINK = -lcjson -lmicrohttpd -lgnutls -lz

# "make test", "make demo" and "make setup" install what is missing, PGXS
# itself perhaps, so they must work without it
house_goals = setup test demo demo-stop fidelity

PG_CONFIG ?= pg_config
PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))

ifneq (,$(PGXS))
# bitcode is for JIT inlining only: without clang, build without it
clang := $(shell sed -n 's/^CLANG = *//p' $(dir $(PGXS))../Makefile.global)
ifeq (,$(shell command -v $(firstword $(clang) clang) 2>/dev/null))
override with_llvm = no
endif
include $(PGXS)

# PGXS tracks no headers: every object depends on all of them
$(OBJS) $(OBJS:.o=.bc): $(wildcard src/*.h src/*/*.h)
else ifneq (,$(filter-out $(house_goals),$(or $(MAKECMDGOALS),all)))
$(error $(PG_CONFIG) finds no PGXS: run "make setup" (Debian), or install PostgreSQL's server development files, or set PG_CONFIG)
endif

.PHONY: $(house_goals)

$(house_goals):
	@bash scripts/$@.sh
