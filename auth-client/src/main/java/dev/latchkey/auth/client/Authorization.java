package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import java.util.Objects;

/**
 * The caller's credentials in a request: the value of the header field {@code Authorization} (RFC 9110 section 11.6.2).
 * Never printed. Equality is identity, so that an {@link Authorizer} recognizes a rejected value.
 */
public final class Authorization {

    /** The name of the header field. */
    public static final String FIELD = "Authorization";

    private final Secret value;

    private Authorization(Secret value) {
        this.value = Objects.requireNonNull(value, "value");
    }

    static Authorization of(Secret value) {
        return new Authorization(value);
    }

    /**
     * The field's value. Put the value only into a request.
     *
     * @return a scheme and its parameters, such as {@code Bearer} and a token: a secret
     */
    public String fieldValue() {
        return value.withText(CharSequence::toString);
    }

    @Override
    public String toString() {
        return "Authorization[****]";
    }
}
