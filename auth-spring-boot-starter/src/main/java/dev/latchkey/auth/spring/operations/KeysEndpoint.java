package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.token.SigningKeyRotation;
import java.util.Map;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator's endpoint {@code latchkeykeys}: rotates the signing keys.
 *
 * <p>Keys come from files only. A key in a request would end up in request logs, and a generated key would exist on one node
 * only.
 */
@Endpoint(id = "latchkeykeys", defaultAccess = Access.READ_ONLY)
final class KeysEndpoint {

    private final Operator operator;

    KeysEndpoint(Operator operator) {
        this.operator = operator;
    }

    /** Signs with the current keys of the key files. */
    @WriteOperation
    Object rotate(SecurityContext caller) {
        return operator.change(caller, "rotate", () -> outcomeOf(SigningKeyRotation::reload));
    }

    /** Rotates, and drops all keys outside of the files. Their tokens become invalid. */
    @DeleteOperation
    Object rotateAndDrop(SecurityContext caller) {
        return operator.change(caller, "rotate-and-drop", () -> outcomeOf(SigningKeyRotation::reloadAndDrop));
    }

    private Map<String, Object> outcomeOf(Function<SigningKeyRotation, SigningKeyRotation.Outcome> operation) {
        SigningKeyRotation rotation = operator.unique(SigningKeyRotation.class, "There is no signing key");
        return switch (operation.apply(rotation)) {
            case ROTATED -> Map.of("rotation", "rotated");
            case DROPPED -> Map.of("rotation", "dropped");
            case UNCHANGED -> Map.of("rotation", "unchanged");
            case REFUSED ->
                throw Operator.refused("A key file cannot be used, as the log says; the keys stay as they are");
            case TIMED_OUT ->
                throw AuthUnavailableException.outage("A key file does not answer; the keys stay as they are");
            case NO_FILE -> throw Operator.refused("The signing key comes from no file: set latchkey.jwt.secret");
        };
    }
}
