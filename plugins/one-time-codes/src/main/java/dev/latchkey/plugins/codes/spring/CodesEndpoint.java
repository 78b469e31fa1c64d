package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.ConfidentialFields;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.engine.JsonBody;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.plugins.codes.Enrolment;
import dev.latchkey.plugins.codes.KnownDevice;
import dev.latchkey.plugins.codes.OwnCodes;
import dev.latchkey.plugins.codes.RememberedDevices;
import java.security.Principal;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
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
 * The endpoints for a user's own codes and devices, independent of the server. Wrong proofs answer with 403, whatever
 * was wrong: 401 would end a valid session. Requests beyond the login limits answer with 429, as at the login endpoint.
 * Blocks.
 */
final class CodesEndpoint {

    static final String PATH = "/auth/codes";

    private static final Set<String> OF_THE_LOGIN = Set.of("username", "password");

    private final Callers callers;
    private final OwnCodes codes;
    private final @Nullable RememberedDevices devices;
    private final String tenantHeader;
    private final OutageLog outages;

    /**
     * @param devices null if devices are not remembered
     * @param outages logs the reason of an outage that no chain sees: the table may be missing
     */
    CodesEndpoint(
            Callers callers,
            OwnCodes codes,
            @Nullable RememberedDevices devices,
            Environment service,
            ObjectProvider<OutageLog> outages) {
        this.callers = callers;
        this.codes = codes;
        this.devices = devices;
        this.tenantHeader = service.getProperty("latchkey.tenant-header", "");
        this.outages = outages.getIfAvailable(() -> OutageLog.ofStores(InstantSource.system()));
    }

    ResponseEntity<Map<String, Object>> begin(@Nullable Principal user, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                HttpStatus.FORBIDDEN,
                body,
                (name, fields) -> codes.begin(
                                name,
                                login(name, fields),
                                JsonBody.responsesIn(fields, OF_THE_LOGIN),
                                contextOf(headers))
                        .map(CodesEndpoint::shown));
    }

    ResponseEntity<Map<String, Object>> confirm(@Nullable Principal user, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                HttpStatus.FORBIDDEN,
                body,
                (name, fields) -> codes.confirm(name, JsonBody.secretIn(fields, "code"), contextOf(headers))
                        .map(recovery -> Map.of(
                                "recovery_codes",
                                recovery.stream().map(CodesEndpoint::text).toList())));
    }

    ResponseEntity<Map<String, Object>> disable(@Nullable Principal user, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                HttpStatus.FORBIDDEN,
                body,
                (name, fields) -> Optional.of(codes.disable(
                                name,
                                login(name, fields),
                                JsonBody.responsesIn(fields, OF_THE_LOGIN),
                                contextOf(headers)))
                        .filter(done -> done)
                        .map(done -> Map.of("enrolled", false)));
    }

    ResponseEntity<Map<String, Object>> devices(@Nullable Principal user) {
        return answer(
                user,
                HttpStatus.NOT_FOUND,
                name -> Optional.ofNullable(devices)
                        .map(remembered -> Map.of(
                                "devices",
                                remembered.list(name).stream()
                                        .map(CodesEndpoint::shown)
                                        .toList())));
    }

    /** Another account's device counts as unknown. */
    ResponseEntity<Map<String, Object>> forget(@Nullable Principal user, String id) {
        return answer(
                user,
                HttpStatus.NOT_FOUND,
                name -> Optional.ofNullable(devices)
                        .filter(remembered -> remembered.forget(name, id))
                        .map(remembered -> Map.of("remembered", false)));
    }

    ResponseEntity<Map<String, Object>> forgetAll(@Nullable Principal user) {
        return answer(
                user,
                HttpStatus.NOT_FOUND,
                name -> Optional.ofNullable(devices).map(remembered -> {
                    remembered.forgetAll(name);
                    return Map.of("devices", List.of());
                }));
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
                "Only the owner can manage codes and devices after a login; a key, or an account that acts as the owner, cannot");
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
        Optional<Map<String, Object>> answer;
        try {
            answer = outages.ask(PATH, () -> question.ask(caller.id()));
        } catch (JsonBody.MalformedBodyException e) {
            return ResponseEntity.badRequest().build();
        }
        return answer.<ResponseEntity<Map<String, Object>>>map(body ->
                        ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(new ConfidentialFields<>(body)))
                .orElseGet(() -> ResponseEntity.status(otherwise).build());
    }

    private static Map<String, Object> shown(Enrolment enrolment) {
        return Map.of(
                "secret", text(enrolment.key()), "uri", text(enrolment.uri()), "qr_code", text(enrolment.qrCode()));
    }

    private static Map<String, Object> shown(KnownDevice device) {
        return Map.of(
                "id", device.id(),
                "name", device.name(),
                "since", device.since().toString(),
                "until", device.until().toString());
    }

    private static String text(Secret secret) {
        return secret.withText(CharSequence::toString);
    }

    /** The login name may differ from the account's id. */
    private static PasswordCredentials login(String account, Map<String, String> body) {
        return new PasswordCredentials(
                Objects.requireNonNullElse(body.get("username"), account), JsonBody.secretIn(body, "password"));
    }

    /** Without an address: the login limits use their own client IP. */
    private RequestContext contextOf(HeaderFields headers) {
        return headers.context(tenantHeader, Optional::empty);
    }
}
