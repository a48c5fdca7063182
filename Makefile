# dynamo: DynamoDB semantics inside PostgreSQL
#
#   make, make install, make installcheck   as in any PGXS extension
#   make setup                              installs the Debian packages needed
#   make test                               set-up, then every test
#   make demo, make demo-stop               the example, in a cluster of its own

EXTENSION = dynamo
MODULE_big = dynamo
DATA = $(notdir $(wildcard $(source)/dynamo--*.sql))
OBJS = $(patsubst $(source)/%.c,%.o,$(sources))

# where this Makefile lies: "." or, in a VPATH build, the way there
source := $(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST))))
sources := $(sort $(wildcard $(source)/src/*.c $(source)/src/*/*.c))
headers := $(wildcard $(source)/src/*.h $(source)/src/*/*.h)

# every file is a test: none has to be listed, none can be forgotten
REGRESS = $(sort $(patsubst $(source)/sql/%.sql,%,$(wildcard $(source)/sql/*.sql)))
ISOLATION = $(sort $(patsubst $(source)/specs/%.spec,%,$(wildcard $(source)/specs/*.spec)))
TAP_TESTS = $(if $(wildcard $(source)/t/*.pl),1)
REGRESS_OPTS = --load-extension=dynamo --encoding=UTF8
ISOLATION_OPTS = --load-extension=dynamo --encoding=UTF8

PG_CPPFLAGS = -I$(source)/src
PG_CFLAGS = -Wno-declaration-after-statement
SHLIB_LINK = -lcjson
EXTRA_CLEAN = build/release build/assert build/test

# "make test", "make demo" and "make setup" install what is missing, PGXS
# itself perhaps, so they must work without it
house_goals = setup test demo demo-stop

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
$(OBJS) $(OBJS:.o=.bc): $(headers)

# a VPATH build needs the rooms' folders (a rule for them would find the source's)
$(shell mkdir -p $(sort $(dir $(OBJS))))
else ifneq (,$(filter-out $(house_goals),$(or $(MAKECMDGOALS),all)))
$(error $(PG_CONFIG) finds no PGXS: run "make setup" (Debian), or install PostgreSQL's server development files, or set PG_CONFIG)
endif

.PHONY: $(house_goals)

$(house_goals):
	@bash $(source)/scripts/$@.sh
