package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.codes.Enrolment;
import dev.latchkey.plugins.codes.OwnCodes;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A user's own enrolment over HTTP, with JSON. What is not proved is 403, whatever was wrong: 401 would end a session that is good. What the
 * login limits refuse is 429, as at the login endpoint.
 */
@RestController
@RequestMapping("/auth/codes")
final class CodesController {

    private final OwnCodes codes;
    private final String tenantHeader;

    CodesController(OwnCodes codes, String tenantHeader) {
        this.codes = codes;
        this.tenantHeader = tenantHeader;
    }

    @PostMapping
    ResponseEntity<Map<String, Object>> begin(
            @Nullable Principal user, @RequestBody Map<String, String> body, HttpServletRequest request) {
        return answer(
                user,
                name -> codes.begin(name, login(name, body), field(body, "code"), contextOf(request))
                        .map(CodesController::shown));
    }

    @PostMapping("/confirm")
    ResponseEntity<Map<String, Object>> confirm(@Nullable Principal user, @RequestBody Map<String, String> body) {
        return answer(
                user,
                name -> codes.confirm(name, field(body, "code"))
                        .map(recovery -> Map.of(
                                "recovery_codes",
                                recovery.stream().map(CodesController::text).toList())));
    }

    @DeleteMapping
    ResponseEntity<Map<String, Object>> disable(
            @Nullable Principal user, @RequestBody Map<String, String> body, HttpServletRequest request) {
        return answer(
                user,
                name -> codes.disable(name, login(name, body), field(body, "code"), contextOf(request))
                        ? Optional.of(Map.of("enrolled", false))
                        : Optional.empty());
    }

    private interface Question {
        Optional<Map<String, Object>> ask(String account);
    }

    private static ResponseEntity<Map<String, Object>> answer(@Nullable Principal user, Question question) {
        if (user == null) {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
        }
        Optional<Map<String, Object>> answer;
        try {
            answer = question.ask(user.getName());
        } catch (MalformedFieldException e) {
            return ResponseEntity.badRequest().build();
        }
        return answer.map(body ->
                        ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body))
                .orElseGet(() -> ResponseEntity.status(HttpStatus.FORBIDDEN).build());
    }

    private static Map<String, Object> shown(Enrolment enrolment) {
        return Map.of(
                "secret", text(enrolment.key()), "uri", text(enrolment.uri()), "qr_code", text(enrolment.qrCode()));
    }

    private static String text(Secret secret) {
        return secret.withText(CharSequence::toString);
    }

    /** The name to log in with may be another than the account's id. */
    private static PasswordCredentials login(String account, Map<String, String> body) {
        return new PasswordCredentials(
                Objects.requireNonNullElse(body.get("username"), account), field(body, "password"));
    }

    private static Secret field(Map<String, String> body, String name) {
        try {
            return Secret.of(Objects.requireNonNullElse(body.get(name), ""));
        } catch (IllegalArgumentException e) {
            throw new MalformedFieldException();
        }
    }

    private RequestContext contextOf(HttpServletRequest request) {
        RequestContext context = RequestContext.of(name -> headers(request, name), Optional::empty);
        String tenant = tenantHeader.isEmpty() ? null : request.getHeader(tenantHeader);
        return tenant != null && RequestContext.isTenant(tenant) ? context.withTenant(tenant) : context;
    }

    private static List<String> headers(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }

    /** A text that is not well-formed, which JSON can carry. */
    private static final class MalformedFieldException extends RuntimeException {}
}
