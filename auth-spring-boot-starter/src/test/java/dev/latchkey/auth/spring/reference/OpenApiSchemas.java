package dev.latchkey.auth.spring.reference;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;

/** The schemas of the OpenAPI description. An asterisk behind the name of a member makes the member required. */
final class OpenApiSchemas {

    private static final String TEXT = "string";
    private static final String NUMBER = "integer";
    private static final String FLAG = "boolean";
    private static final String SECRET = "password";
    private static final String TIME = "date-time";
    private static final String TEXTS = "string[]";

    private OpenApiSchemas() {}

    static Map<String, Object> all() {
        return object(
                "TokenRequest",
                        open(
                                "A login by name and password, the response to a second step by the continuation, a refresh, or the grant of a plugin",
                                "grant_type",
                                TEXT,
                                "username",
                                TEXT,
                                "password",
                                SECRET,
                                "refresh_token",
                                SECRET,
                                "continuation",
                                TEXT,
                                "code",
                                SECRET,
                                "remember_me",
                                FLAG,
                                "remember_device",
                                FLAG,
                                "client_id",
                                TEXT,
                                "client_secret",
                                SECRET,
                                "scope",
                                TEXT),
                "Tokens",
                        open(
                                "Tokens, as in RFC 6749 section 5.1",
                                "access_token*",
                                TEXT,
                                "token_type*",
                                TEXT,
                                "expires_in*",
                                NUMBER,
                                "refresh_token",
                                TEXT,
                                "device_token",
                                TEXT,
                                "device_expires_in",
                                NUMBER),
                "TokenOfClient",
                        open(
                                "A token of RFC 7009 and RFC 7662",
                                "token*",
                                SECRET,
                                "token_type_hint",
                                TEXT,
                                "client_id",
                                TEXT,
                                "client_secret",
                                SECRET),
                "Introspection",
                        open(
                                "Claims, as in RFC 7662 section 2.2",
                                "active*",
                                FLAG,
                                "token_type",
                                TEXT,
                                "sub",
                                TEXT,
                                "exp",
                                NUMBER,
                                "iat",
                                NUMBER,
                                "client_id",
                                TEXT),
                "Metadata",
                        open(
                                "Metadata, as in RFC 8414 section 2",
                                "issuer*",
                                TEXT,
                                "token_endpoint*",
                                TEXT,
                                "token_endpoint_auth_methods_supported*",
                                TEXTS,
                                "grant_types_supported*",
                                TEXTS,
                                "response_types_supported*",
                                TEXTS,
                                "revocation_endpoint*",
                                TEXT,
                                "revocation_endpoint_auth_methods_supported*",
                                TEXTS,
                                "introspection_endpoint",
                                TEXT,
                                "introspection_endpoint_auth_methods_supported",
                                TEXTS),
                "Logins", closed("logins*", "Login[]"),
                "Login",
                        closed(
                                "id*",
                                TEXT,
                                "started_at*",
                                TIME,
                                "last_used_at*",
                                TIME,
                                "expires_at*",
                                TIME,
                                "device",
                                TEXT,
                                "address",
                                TEXT,
                                "current*",
                                FLAG),
                "Problem",
                        open(
                                "A problem of RFC 9457",
                                "type*",
                                TEXT,
                                "title*",
                                TEXT,
                                "status*",
                                NUMBER,
                                "detail*",
                                TEXT,
                                "method",
                                TEXT,
                                "continuation",
                                TEXT,
                                "expires_in",
                                NUMBER,
                                "parameters",
                                "object"),
                "OAuthError",
                        open(
                                "An error of RFC 6749 section 5.2. A next step is `mfa_required`.",
                                "error*",
                                TEXT,
                                "error_description*",
                                TEXT,
                                "method",
                                TEXT,
                                "continuation",
                                TEXT,
                                "expires_in",
                                NUMBER,
                                "parameters",
                                "object"),
                "ApiKeys", closed("keys*", "ApiKey[]"),
                "ApiKey",
                        closed(
                                "id*",
                                TEXT,
                                "name*",
                                TEXT,
                                "scopes*",
                                TEXTS,
                                "created_at*",
                                TIME,
                                "expires_at",
                                TIME,
                                "last_used_at",
                                TIME,
                                "former_key_until",
                                TIME),
                "IssuedApiKey",
                        closed(
                                "key*",
                                TEXT,
                                "id*",
                                TEXT,
                                "name*",
                                TEXT,
                                "scopes*",
                                TEXTS,
                                "created_at*",
                                TIME,
                                "expires_at",
                                TIME,
                                "last_used_at",
                                TIME,
                                "former_key_until",
                                TIME),
                "ApiKeyRequest",
                        closed(
                                "name*",
                                TEXT,
                                "scopes",
                                TEXTS,
                                "expires_in_days",
                                NUMBER,
                                "username",
                                TEXT,
                                "password*",
                                SECRET,
                                "code",
                                SECRET),
                "ApiKeyRotation",
                        closed(
                                "overlap_hours",
                                NUMBER,
                                "expires_in_days",
                                NUMBER,
                                "username",
                                TEXT,
                                "password*",
                                SECRET,
                                "code",
                                SECRET),
                "ApiKeyName", closed("name*", TEXT),
                "Proof",
                        open(
                                "The password, and the fields of further steps",
                                "username",
                                TEXT,
                                "password",
                                SECRET,
                                "code",
                                SECRET,
                                "credential_id",
                                TEXT,
                                "client_data_json",
                                TEXT,
                                "authenticator_data",
                                TEXT,
                                "signature",
                                TEXT,
                                "user_handle",
                                TEXT),
                "Code", closed("code*", SECRET),
                "Enrolment", closed("secret*", TEXT, "uri*", TEXT, "qr_code*", TEXT),
                "RecoveryCodes", closed("recovery_codes*", TEXTS),
                "Enrolled", closed("enrolled*", FLAG),
                "Devices", closed("devices*", "Device[]"),
                "Device", closed("id*", TEXT, "name*", TEXT, "since*", TIME, "until*", TIME),
                "Remembered", closed("remembered*", FLAG),
                "PasskeyOptions",
                        open(
                                "Options for the browser",
                                "challenge*",
                                TEXT,
                                "timeout",
                                NUMBER,
                                "rp_id",
                                TEXT,
                                "rp_name",
                                TEXT,
                                "user_id",
                                TEXT,
                                "user_name",
                                TEXT,
                                "user_verification",
                                TEXT,
                                "credential_ids",
                                TEXTS,
                                "exclude_credential_ids",
                                TEXTS,
                                "algorithms",
                                "integer[]"),
                "NewPasskey", closed("name", TEXT, "attestation_object*", TEXT, "client_data_json*", TEXT),
                "Passkeys", closed("passkeys*", "Passkey[]"),
                "Passkey", closed("id*", TEXT, "name*", TEXT, "created*", TIME, "last_used", TIME),
                "Removed", closed("removed*", FLAG));
    }

    static Map<String, Object> securitySchemes() {
        return object(
                "bearer", object("type", "http", "scheme", "bearer", "bearerFormat", "JWT"),
                "basic", object("type", "http", "scheme", "basic", "description", "Name and password of an account"),
                "client",
                        object(
                                "type",
                                "http",
                                "scheme",
                                "basic",
                                "description",
                                "Id and secret of a registered client"),
                "apiKey", object("type", "apiKey", "in", "header", "name", "X-API-Key"),
                "oauth2",
                        object(
                                "type",
                                "oauth2",
                                "flows",
                                object(
                                        "password",
                                        object(
                                                "tokenUrl",
                                                "/auth/token",
                                                "refreshUrl",
                                                "/auth/token",
                                                "scopes",
                                                Map.of()))));
    }

    /** The answer with this status; the text behind the status names the form. */
    static Map<String, Object> refusal(String refusal) {
        int status = Integer.parseInt(refusal.substring(0, 3));
        String form = refusal.substring(3).strip();
        Map<String, Object> answer =
                object("description", HttpStatus.valueOf(status).getReasonPhrase());
        if (status == 429 || status == 503) {
            answer.put(
                    "headers",
                    object("Retry-After", object("description", "Seconds", "schema", Map.of("type", NUMBER))));
        }
        Map<String, Object> content = new LinkedHashMap<>();
        if (form.equals("oauth") || form.equals("both")) {
            content.put("application/json", contentOf("OAuthError"));
        }
        if (form.isEmpty() || form.equals("both")) {
            content.put("application/problem+json", contentOf("Problem"));
        }
        if (!content.isEmpty()) {
            answer.put("content", content);
        }
        return answer;
    }

    static Map<String, Object> contentOf(String schema) {
        return object("schema", reference(schema));
    }

    /** A map in the order of its pairs. */
    static Map<String, Object> object(Object... pairs) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            object.put((String) pairs[i], pairs[i + 1]);
        }
        return object;
    }

    private static Map<String, Object> closed(String... members) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            properties.put(members[i].replace("*", ""), typeOf(members[i + 1]));
        }
        List<String> required = Arrays.stream(members)
                .filter(each -> each.endsWith("*"))
                .map(each -> each.replace("*", ""))
                .toList();
        Map<String, Object> schema = object("type", "object", "properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    /** With further members: of plugins, of the service, or of the standard. */
    private static Map<String, Object> open(String description, String... members) {
        Map<String, Object> schema = object("description", description);
        schema.putAll(closed(members));
        schema.put("additionalProperties", true);
        return schema;
    }

    private static Map<String, Object> typeOf(String type) {
        if (type.endsWith("[]")) {
            return object("type", "array", "items", typeOf(type.substring(0, type.length() - 2)));
        }
        return switch (type) {
            case TEXT, NUMBER, FLAG, "object" -> object("type", type);
            case SECRET, TIME -> object("type", TEXT, "format", type);
            default -> reference(type);
        };
    }

    private static Map<String, Object> reference(String schema) {
        return object("$ref", "#/components/schemas/" + schema);
    }
}
