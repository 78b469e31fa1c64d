package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import java.util.Objects;

/**
 * What a request shows of its caller: the value of its header field {@code Authorization} (RFC 9110 section 11.6.2). Never printed. Equality is
 * identity, by which an {@link Authorizer} knows what was refused.
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
     * The field's value, to be put into a request and nowhere else.
     *
     * @return a scheme and what belongs to it, such as {@code Bearer} and a token: a secret
     */
    public String fieldValue() {
        return value.withText(CharSequence::toString);
    }

    @Override
    public String toString() {
        return "Authorization[****]";
    }
}
