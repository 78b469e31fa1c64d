package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.spring.token.SigningKeyRotation;
import java.util.Map;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator's endpoint {@code latchkeykeys}: the signing keys. {@code latchkey} shows them.
 *
 * <p>Keys come from the files alone: a key in a request would be in whatever logs requests, and a key that was made up here would be on no other node.
 */
@Endpoint(id = "latchkeykeys", defaultAccess = Access.READ_ONLY)
final class KeysEndpoint {

    private final Operator operator;

    KeysEndpoint(Operator operator) {
        this.operator = operator;
    }

    /** Signs with the keys that the key files hold now. */
    @WriteOperation
    Map<String, Object> rotate(SecurityContext caller) {
        return operator.change(caller, "rotate", () -> outcomeOf(SigningKeyRotation::reload));
    }

    /** The same, and the tokens of all keys that are not in the files are worthless. */
    @DeleteOperation
    Map<String, Object> rotateAndDrop(SecurityContext caller) {
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
            case NO_FILE -> throw Operator.refused("The signing key comes from no file: set latchkey.jwt.secret-file");
        };
    }
}
