package dev.latchkey.auth.jwt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the authorities of a token without {@link JwtAuthPlugin#AUTHORITIES_CLAIM} stand.
 *
 * @param old the claim of tokens from before; null for none
 * @param prefix stands before each authority of the old claim
 */
record AuthorityClaims(@Nullable String old, String prefix) {

    static final AuthorityClaims NONE = new AuthorityClaims(null, "");

    /** The member of an authority that is an object, as Jackson writes a {@code GrantedAuthority}. */
    private static final String MEMBER = "authority";

    boolean isOld(JsonMember claim) {
        return old != null && claim.isNamed(old);
    }

    /**
     * The authorities in the old claim: a list of texts, a list of objects with the member {@code authority}, or a text separated by spaces or commas.
     *
     * @throws ClaimTypeException if the claim has another form
     */
    List<String> oldIn(Object value) {
        List<String> found = new ArrayList<>();
        if (value instanceof String text) {
            for (String each : text.split("[ ,]+", -1)) {
                add(each, found);
            }
            return found;
        }
        if (value instanceof JsonNull) {
            return found;
        }
        if (!(value instanceof List<?> list)) {
            throw unusable(value);
        }
        for (Object element : list) {
            Object each = element instanceof Map<?, ?> object ? object.get(MEMBER) : element;
            if (!(each instanceof String text)) {
                throw unusable(value);
            }
            add(text, found);
        }
        return found;
    }

    private void add(String authority, List<String> found) {
        if (!authority.isBlank()) {
            found.add(prefix + authority);
        }
    }

    private ClaimTypeException unusable(Object value) {
        return new ClaimTypeException(
                String.valueOf(old), "a text, or a list of texts or objects with authority", value);
    }
}
