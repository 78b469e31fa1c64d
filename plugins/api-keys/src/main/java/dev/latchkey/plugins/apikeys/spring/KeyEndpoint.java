package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.engine.JsonBody;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.plugins.apikeys.IssuedKey;
import dev.latchkey.plugins.apikeys.KeyOutcome;
import dev.latchkey.plugins.apikeys.KeyRefusal;
import dev.latchkey.plugins.apikeys.OwnApiKeys;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * The endpoints for a user's own keys, the same for both stacks. Only for logged-in users: a caller with a key gets
 * 403, whatever the scopes of the key. Wrong proofs also answer with 403, whatever was wrong, because 401 would end a
 * valid session. Blocks.
 */
final class KeyEndpoint {

    static final String PATH = "/auth/api-keys";

    private final Callers callers;
    private final OwnApiKeys keys;
    private final long mostDays;
    private final String tenantHeader;
    private final OutageLog outages;

    /**
     * @param outages logs the reason of an outage that no chain sees: the table may be missing
     */
    KeyEndpoint(Callers callers, OwnApiKeys keys, long mostDays, String tenantHeader, OutageLog outages) {
        this.callers = callers;
        this.keys = keys;
        this.mostDays = mostDays;
        this.tenantHeader = tenantHeader;
        this.outages = outages;
    }

    ResponseEntity<Object> list(@Nullable Principal user) {
        return answer(
                user,
                account -> KeyAnswer.ok(Map.of(
                        "keys",
                        keys.list(account).stream().map(KeyAnswer::shown).toList())));
    }

    ResponseEntity<Object> issue(@Nullable Principal user, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                body,
                (account, asked) -> answer(
                        keys.issue(account, asked.proofOf(account), asked.request(), contextOf(headers)),
                        HttpStatus.CREATED));
    }

    ResponseEntity<Object> rotate(@Nullable Principal user, String id, JsonBody body, HeaderFields headers) {
        return answer(
                user,
                body,
                (account, asked) -> answer(
                        keys.rotate(account, asked.proofOf(account), id, asked.rotation(), contextOf(headers)),
                        HttpStatus.OK));
    }

    ResponseEntity<Object> rename(@Nullable Principal user, String id, JsonBody body) {
        return answer(
                user,
                body,
                (account, asked) ->
                        keys.rename(account, id, asked.name()) ? KeyAnswer.done() : refused(KeyRefusal.NO_SUCH_KEY));
    }

    ResponseEntity<Object> revoke(@Nullable Principal user, String id) {
        return answer(user, account -> keys.revoke(account, id) ? KeyAnswer.done() : refused(KeyRefusal.NO_SUCH_KEY));
    }

    private ResponseEntity<Object> answer(
            @Nullable Principal user, JsonBody body, BiFunction<String, KeyBody, ResponseEntity<Object>> question) {
        return answer(user, account -> question.apply(account, new KeyBody(body.read(), mostDays)));
    }

    private ResponseEntity<Object> answer(@Nullable Principal user, Function<String, ResponseEntity<Object>> question) {
        Subject caller = callers.of(user).orElse(null);
        if (caller == null) {
            return KeyAnswer.problem(HttpStatus.UNAUTHORIZED, "Log in first");
        }
        if (!caller.isOwnLogin()) {
            return KeyAnswer.problem(
                    HttpStatus.FORBIDDEN,
                    "Only the owner can manage keys after a login; a key, or an account that acts as the owner, cannot");
        }
        try {
            return outages.ask(PATH, () -> question.apply(caller.id()));
        } catch (IllegalArgumentException e) {
            return KeyAnswer.problem(
                    HttpStatus.BAD_REQUEST, Optional.ofNullable(e.getMessage()).orElse(""));
        }
    }

    private static ResponseEntity<Object> answer(KeyOutcome outcome, HttpStatus status) {
        return outcome instanceof IssuedKey issued ? KeyAnswer.issued(issued, status) : refused((KeyRefusal) outcome);
    }

    private static ResponseEntity<Object> refused(KeyRefusal refusal) {
        return switch (refusal) {
            case NOT_PROVED -> KeyAnswer.problem(HttpStatus.FORBIDDEN, "The password or the code is wrong");
            case SCOPE_NOT_HELD ->
                KeyAnswer.problem(HttpStatus.FORBIDDEN, "The account may not give one of the scopes");
            case TOO_MANY -> KeyAnswer.problem(HttpStatus.CONFLICT, "The account has as many keys as it may have");
            case NO_SUCH_KEY -> KeyAnswer.problem(HttpStatus.NOT_FOUND, "The account has no such key");
            case ROTATED_ALREADY ->
                KeyAnswer.problem(
                        HttpStatus.CONFLICT,
                        "The key was rotated already, and its former secret is still good; overlap_hours 0 ends that secret");
        };
    }

    private RequestContext contextOf(HeaderFields headers) {
        return headers.context(tenantHeader, Optional::empty);
    }
}
