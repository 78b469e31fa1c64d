package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.ConfidentialFields;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.engine.JsonBody;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.plugins.passkeys.OwnPasskeys;
import dev.latchkey.plugins.passkeys.Passkey;
import dev.latchkey.plugins.passkeys.PasskeyCredentials;
import dev.latchkey.plugins.passkeys.Passkeys;
import java.security.Principal;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Challenges for all callers, and the management of a user's own passkeys, for both stacks. A failed proof is 403 for every
 * reason, since 401 would end a valid session. A rate-limited request is 429, as at the token endpoint. Blocks.
 */
final class PasskeysEndpoint {

    static final String PATH = "/auth/passkeys";

    private static final Set<String> OF_THE_LOGIN = Set.of("username", "password");

    private final Callers callers;
    private final Passkeys passkeys;
    private final OwnPasskeys own;
    private final String tenantHeader;
    private final OutageLog outages;

    /** @param outages logs the reason of an outage that no chain sees: the table may be missing */
    PasskeysEndpoint(
            Callers callers,
            Passkeys passkeys,
            OwnPasskeys own,
            Environment service,
            ObjectProvider<OutageLog> outages) {
        this.callers = callers;
        this.passkeys = passkeys;
        this.own = own;
        this.tenantHeader = service.getProperty("latchkey.tenant-header", "");
        this.outages = outages.getIfAvailable(() -> OutageLog.ofStores(InstantSource.system()));
    }

    /** A challenge for a login by a passkey alone, without a user. */
    ResponseEntity<Map<String, Object>> challenge() {
        return shown(passkeys.begin());
    }

    /** A challenge for the proof of a change; none for an account without passkeys. */
    ResponseEntity<Map<String, Object>> proof(@Nullable Principal user) {
        return answer(user, HttpStatus.NOT_FOUND, own::challenge);
    }

    ResponseEntity<Map<String, Object>> begin(@Nullable Principal user, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                HttpStatus.FORBIDDEN,
                body,
                (name, fields) -> own.begin(
                        name, login(name, fields), JsonBody.responsesIn(fields, OF_THE_LOGIN), contextOf(headers)));
    }

    ResponseEntity<Map<String, Object>> confirm(@Nullable Principal user, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                HttpStatus.FORBIDDEN,
                body,
                (name, fields) -> own.confirm(
                                name,
                                Objects.requireNonNullElse(fields.get("name"), ""),
                                JsonBody.secretIn(fields, "attestation_object"),
                                JsonBody.secretIn(fields, "client_data_json"),
                                contextOf(headers))
                        .map(PasskeysEndpoint::shown));
    }

    ResponseEntity<Map<String, Object>> list(@Nullable Principal user) {
        return answer(
                user,
                HttpStatus.NOT_FOUND,
                name -> Optional.of(Map.of(
                        "passkeys",
                        own.list(name).stream().map(PasskeysEndpoint::shown).toList())));
    }

    ResponseEntity<Map<String, Object>> remove(
            @Nullable Principal user, String id, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                HttpStatus.FORBIDDEN,
                body,
                (name, fields) -> Optional.of(own.remove(
                                name,
                                id,
                                login(name, fields),
                                JsonBody.responsesIn(fields, OF_THE_LOGIN),
                                contextOf(headers)))
                        .filter(done -> done)
                        .map(done -> Map.of("removed", true)));
    }

    private interface Question {
        Optional<Map<String, Object>> ask(String account);
    }

    private interface QuestionWithFields {
        Optional<Map<String, Object>> ask(String account, Map<String, String> fields);
    }

    /** A problem of RFC 9457. */
    private static ResponseEntity<Map<String, Object>> othersAreForbidden() {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", "about:blank");
        problem.put("title", "Forbidden");
        problem.put("status", 403);
        problem.put(
                "detail",
                "Only the owner can manage passkeys after a login; a key, or an account that acts as the owner, cannot");
        return ResponseEntity.status(HttpStatus.FORBIDDEN)
                .cacheControl(CacheControl.noStore())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    private ResponseEntity<Map<String, Object>> answer(
            @Nullable Principal user, HttpStatus otherwise, JsonBody body, QuestionWithFields question) {
        return answer(
                user, otherwise, account -> question.ask(account, body.read().texts()));
    }

    private ResponseEntity<Map<String, Object>> answer(
            @Nullable Principal user, HttpStatus otherwise, Question question) {
        Subject caller = callers.of(user).orElse(null);
        if (caller == null) {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
        }
        if (!caller.isOwnLogin()) {
            return othersAreForbidden();
        }
        try {
            return outages.ask(PATH, () -> question.ask(caller.id()))
                    .map(PasskeysEndpoint::shown)
                    .orElseGet(() -> ResponseEntity.status(otherwise).build());
        } catch (JsonBody.MalformedBodyException e) {
            return ResponseEntity.badRequest().build();
        }
    }

    private static ResponseEntity<Map<String, Object>> shown(Map<String, Object> body) {
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(new ConfidentialFields<>(body));
    }

    private static Map<String, Object> shown(Passkey passkey) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", passkey.id());
        shown.put("name", passkey.name());
        shown.put("created", passkey.created().toString());
        passkey.lastUsed().ifPresent(at -> shown.put("last_used", at.toString()));
        return shown;
    }

    /** A password, or a passkey alone. The login name may differ from the account's id. */
    private static Credentials login(String account, Map<String, String> body) {
        if (body.get("password") == null) {
            Optional<PasskeyCredentials> passkey = PasskeyCredentials.of(JsonBody.responsesIn(body, OF_THE_LOGIN));
            if (passkey.isPresent()) {
                return passkey.get();
            }
        }
        return new PasswordCredentials(
                Objects.requireNonNullElse(body.get("username"), account), JsonBody.secretIn(body, "password"));
    }

    /** Without a client IP: the login limits know the client IP. */
    private RequestContext contextOf(HeaderFields headers) {
        return headers.context(tenantHeader, Optional::empty);
    }
}
