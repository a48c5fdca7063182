/*
 * projection.c
 *		Projections.
 */
#include "postgres.h"

#include "expression/path_tree.h"

struct Projection
{
	PathTree	tree;
};

/* Insert paths, which the list holds. */
static Projection *
make_projection(List *paths)
{
	Projection *projection = palloc0(sizeof(Projection));
	ListCell   *cell;

	foreach(cell, paths)
		path_tree_insert(&projection->tree, PROJECTION_EXPRESSION, lfirst(cell));
	path_tree_check(&projection->tree, PROJECTION_EXPRESSION);
	return projection;
}

static List *
parse_paths(Lexer *lexer)
{
	List	   *paths = NIL;

	do
	{
		Path	   *path = palloc(sizeof(Path));

		*path = parse_path(lexer);
		paths = lappend(paths, path);
	} while (lexer_accept(lexer, TOKEN_COMMA));
	lexer_expect(lexer, TOKEN_END);
	return paths;
}

Projection *
projection_parse(const char *text, Placeholders *placeholders)
{
	Lexer		lexer;
	Checker		checker = {PROJECTION_EXPRESSION, placeholders, 0};
	List	   *paths;
	ListCell   *cell;

	lexer_init(&lexer, PROJECTION_EXPRESSION, text);
	paths = parse_paths(&lexer);
	foreach(cell, paths)
		check_path_words(&checker, lfirst(cell));
	foreach(cell, paths)
		check_path(&checker, lfirst(cell));
	return make_projection(paths);
}

Projection *
projection_from_attributes(List *names)
{
	List	   *paths = NIL;
	ListCell   *cell;

	foreach(cell, names)
		paths = lappend(paths, path_from_name(lfirst(cell)));
	return make_projection(paths);
}

void
projection_to_dynamodb_json(JsonWriter *out, const Projection *projection, JsonbContainer *item)
{
	path_tree_append(out, &projection->tree, item);
}

Jsonb *
projection_apply(const Projection *projection, JsonbContainer *item)
{
	Jsonb	   *result = path_tree_project(&projection->tree, item);
	JsonbValue	empty = {.type = jbvObject};

	return result ? result : built_value_to_jsonb(&empty);
}

List *
projection_attributes(const Projection *projection)
{
	return path_tree_attributes(&projection->tree);
}

bool
projection_reaches_into(const Projection *projection, const char *attribute)
{
	return path_tree_reaches_into(&projection->tree, attribute);
}
