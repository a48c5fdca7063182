-- What every object of the extension has: a comment, and a schema of ours
SELECT pg_describe_object(classid, objid, 0) AS without_comment
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'dynamo')
	AND classid IN ('pg_proc'::regclass, 'pg_namespace'::regclass, 'pg_class'::regclass,
		'pg_am'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass)
	AND obj_description(objid, classid::regclass::name) IS NULL
	AND (classid <> 'pg_type'::regclass OR objid IN (SELECT oid FROM pg_type WHERE typtype IN ('b', 'd') AND typelem = 0))
	AND (classid <> 'pg_class'::regclass OR objid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'v', 'p')))
ORDER BY 1;
SELECT pg_describe_object(d.classid, d.objid, 0) AS outside_schema_dynamo
FROM pg_depend d
JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'dynamo')
	AND p.pronamespace <> 'dynamo'::regnamespace
ORDER BY 1;
-- a SECURITY DEFINER function must not resolve names by the caller's search_path
SELECT p.oid::regprocedure AS unpinned_security_definer
FROM pg_depend d
JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'dynamo')
	AND p.prosecdef AND NOT coalesce(array_to_string(p.proconfig, ' ') ~ 'search_path=', false)
ORDER BY 1;
