#include "postgres.h"
#include "errors.h"
#include "http/signature.h"
HttpIdentity
signature_check(const HttpRequest *request)
{
	dynamo_error(MISSING_AUTHENTICATION_TOKEN, "Request is missing Authentication Token");
}
