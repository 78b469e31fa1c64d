package dev.latchkey.auth.spring.reference;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of endpoints: of the page {@code endpoints.md} and of the OpenAPI description. */
final class OpenApiTable {

    static final String LOGINS = "Logins";

    private static final String ENABLED = "`latchkey.login.enabled`";
    private static final String LIST = "`latchkey.login.logins.enabled`";
    private static final String KEYS = "`latchkey.plugin.api-keys.endpoints-enabled`";
    private static final String CODES = "`latchkey.plugin.one-time-codes.endpoints-enabled`";
    private static final String DEVICES = "`latchkey.plugin.one-time-codes.remember-devices` and " + CODES;
    private static final String PASSKEYS = "`latchkey.plugin.passkeys.endpoints-enabled`";

    private static final String PROOF = "the password and the fields of further steps";

    private static final List<String> CLIENTS = List.of("", "client");
    private static final List<String> TOKEN = List.of("bearer", "oauth2");
    private static final List<String> USER = List.of("bearer", "oauth2", "basic");

    private static final List<String> OAUTH =
            List.of("400 oauth", "401 oauth", "413 oauth", "415 oauth", "429 both", "500 both", "503 both");
    private static final List<String> OWN = List.of("400", "401", "403", "500", "503");
    private static final List<String> KEY = List.of("400", "401", "403", "404", "409", "429", "503");
    /** Controllers of codes and passkeys refuse without a body, except to an account that acts as the owner. Limits and outages are problems. */
    private static final List<String> PLUGIN = List.of("400 status", "401 status", "403 status", "429", "503");

    private static final List<String> LIST_OF_PLUGIN = List.of("401 status", "403", "404 status", "503");

    private OpenApiTable() {}

    static List<OpenApiOperation> starter() {
        return List.of(
                row(
                        "POST /auth/token",
                        "token",
                        ENABLED,
                        "a login, a second step or a refresh: see below",
                        "200 with tokens",
                        "TokenRequest",
                        "Tokens",
                        CLIENTS,
                        List.of("400 both", "401 both", "409", "413", "415 both", "429 both", "500 both", "503 both")),
                row(
                        "POST /auth/logout",
                        "logout",
                        ENABLED,
                        "the credentials of the request",
                        "204; 401 for a token that the node does not accept",
                        "",
                        "",
                        List.of("bearer", "oauth2", "apiKey"),
                        OWN),
                row(
                        "POST /auth/revoke",
                        "revoke",
                        ENABLED,
                        "`token`, access or refresh (RFC 7009)",
                        "200, whatever the token",
                        "TokenOfClient",
                        "",
                        CLIENTS,
                        OAUTH),
                row(
                        "POST /auth/introspect",
                        "introspect",
                        "`latchkey.login.introspection`",
                        "`token`, by a registered client (RFC 7662)",
                        "200 with the claims, or `{\"active\":false}`",
                        "TokenOfClient",
                        "Introspection",
                        List.of("client", ""),
                        OAUTH),
                row(
                        "GET /.well-known/oauth-authorization-server",
                        "metadata",
                        "`latchkey.jwt.issuer` is an HTTP address",
                        "",
                        "200 with the metadata of RFC 8414",
                        "",
                        "Metadata",
                        List.of(""),
                        List.of()),
                row(
                        "GET /auth/logins",
                        "listLogins",
                        LIST,
                        "an access token",
                        "200 with [the account's logins](../../auth-spring-boot-starter/README.md#logins-of-an-account)",
                        "",
                        "Logins",
                        TOKEN,
                        OWN),
                row(
                        "DELETE /auth/logins/{id}",
                        "endLogin",
                        LIST,
                        "an access token",
                        "204; 404 for an id of another account",
                        "",
                        "",
                        TOKEN,
                        List.of("400", "401", "403", "404", "500", "503")));
    }

    static List<OpenApiOperation> plugins() {
        return List.of(
                key("GET", "", "listApiKeys", "", "200 with the account's keys", "", "ApiKeys"),
                key(
                        "POST",
                        "",
                        "issueApiKey",
                        PROOF + ", and the new key's `name`, `scopes` and `expires_in_days`",
                        "201 with the key, shown once",
                        "ApiKeyRequest",
                        "IssuedApiKey"),
                key(
                        "POST",
                        "/{id}/rotate",
                        "rotateApiKey",
                        PROOF + ", `overlap_hours` and `expires_in_days`",
                        "200 with the new key, shown once",
                        "ApiKeyRotation",
                        "IssuedApiKey"),
                key("PATCH", "/{id}", "renameApiKey", "`name`", "204", "ApiKeyName", ""),
                key("DELETE", "/{id}", "revokeApiKey", "", "204", "", ""),
                code(
                        "POST",
                        "",
                        "enrolCodes",
                        CODES,
                        PROOF,
                        "200 with `secret`, `uri` and `qr_code`",
                        "Proof",
                        "Enrolment"),
                code(
                        "POST",
                        "/confirm",
                        "confirmCodes",
                        CODES,
                        "`code`",
                        "200 with recovery codes, shown once",
                        "Code",
                        "RecoveryCodes"),
                code(
                        "DELETE",
                        "",
                        "disableCodes",
                        CODES,
                        PROOF,
                        "200 with `{\"enrolled\":false}`",
                        "Proof",
                        "Enrolled"),
                code("GET", "/devices", "listDevices", DEVICES, "", "200 with remembered devices", "", "Devices"),
                code(
                        "DELETE",
                        "/devices/{id}",
                        "forgetDevice",
                        DEVICES,
                        "",
                        "200 with `{\"remembered\":false}`",
                        "",
                        "Remembered"),
                code("DELETE", "/devices", "forgetDevices", DEVICES, "", "200 with an empty list", "", "Devices"),
                passkey(
                        "POST",
                        "/challenge",
                        "passkeyChallenge",
                        "",
                        "200 with a challenge for a login by a passkey alone",
                        "",
                        "PasskeyOptions",
                        List.of("")),
                passkey(
                        "POST",
                        "/proof",
                        "passkeyProof",
                        "",
                        "200 with a challenge for a proof",
                        "",
                        "PasskeyOptions",
                        USER),
                passkey(
                        "POST",
                        "",
                        "beginPasskey",
                        PROOF,
                        "200 with the options for a new passkey",
                        "Proof",
                        "PasskeyOptions",
                        USER),
                passkey(
                        "POST",
                        "/confirm",
                        "confirmPasskey",
                        "`name`, `attestation_object` and `client_data_json`",
                        "200 with the new passkey",
                        "NewPasskey",
                        "Passkey",
                        USER),
                passkey("GET", "", "listPasskeys", "", "200 with the account's passkeys", "", "Passkeys", USER),
                passkey(
                        "DELETE",
                        "/{id}",
                        "removePasskey",
                        PROOF,
                        "200 with `{\"removed\":true}`",
                        "Proof",
                        "Removed",
                        USER));
    }

    static List<OpenApiOperation> all() {
        return Stream.concat(starter().stream(), plugins().stream()).toList();
    }

    /** The rows of the page. */
    static String page(List<OpenApiOperation> operations) {
        return "\n| request | there where | takes | answers |\n| --- | --- | --- | --- |\n"
                + operations.stream().map(OpenApiOperation::row).collect(Collectors.joining())
                + "\n";
    }

    /** The document, of OpenAPI 3.1. */
    static Map<String, Object> document() {
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (OpenApiOperation each : all()) {
            paths.computeIfAbsent(each.path(), path -> new LinkedHashMap<>())
                    .put(each.method().toLowerCase(Locale.ROOT), each.toJson());
        }
        TreeSet<String> refusals =
                all().stream().flatMap(each -> each.refusals().stream()).collect(Collectors.toCollection(TreeSet::new));
        Map<String, Object> responses = new LinkedHashMap<>();
        refusals.forEach(refusal -> responses.put(OpenApiOperation.nameOf(refusal), OpenApiSchemas.refusal(refusal)));
        return OpenApiSchemas.object(
                "openapi", "3.1.0",
                "info",
                        OpenApiSchemas.object(
                                "title", "Latchkey",
                                "version", "1",
                                "description",
                                        "Endpoints of Latchkey below the default base path, /auth. Each operation names the property that switches the endpoint on.",
                                "license", OpenApiSchemas.object("name", "Apache 2.0", "identifier", "Apache-2.0")),
                "servers", List.of(Map.of("url", "/")),
                "tags",
                        List.of(
                                Map.of("name", LOGINS),
                                Map.of("name", "API keys"),
                                Map.of("name", "One-time codes"),
                                Map.of("name", "Passkeys")),
                "paths", paths,
                "components",
                        OpenApiSchemas.object(
                                "schemas", OpenApiSchemas.all(),
                                "responses", responses,
                                "securitySchemes", OpenApiSchemas.securitySchemes()));
    }

    private static OpenApiOperation row(
            String request,
            String id,
            String where,
            String takes,
            String answers,
            String body,
            String result,
            List<String> schemes,
            List<String> refusals) {
        return new OpenApiOperation(request, id, LOGINS, where, takes, answers, body, result, schemes, refusals);
    }

    private static OpenApiOperation key(
            String method, String path, String id, String takes, String answers, String body, String result) {
        return new OpenApiOperation(
                method + " /auth/api-keys" + path, id, "API keys", KEYS, takes, answers, body, result, USER, KEY);
    }

    private static OpenApiOperation code(
            String method,
            String path,
            String id,
            String where,
            String takes,
            String answers,
            String body,
            String result) {
        List<String> refusals = path.startsWith("/devices") ? LIST_OF_PLUGIN : PLUGIN;
        return new OpenApiOperation(
                method + " /auth/codes" + path,
                id,
                "One-time codes",
                where,
                takes,
                answers,
                body,
                result,
                USER,
                refusals);
    }

    private static OpenApiOperation passkey(
            String method,
            String path,
            String id,
            String takes,
            String answers,
            String body,
            String result,
            List<String> schemes) {
        List<String> refusals = path.equals("/challenge") ? List.of("503") : body.isEmpty() ? LIST_OF_PLUGIN : PLUGIN;
        return new OpenApiOperation(
                method + " /auth/passkeys" + path,
                id,
                "Passkeys",
                PASSKEYS,
                takes,
                answers,
                body,
                result,
                schemes,
                refusals);
    }
}
