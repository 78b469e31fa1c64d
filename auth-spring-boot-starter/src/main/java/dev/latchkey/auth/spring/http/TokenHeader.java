package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.util.List;
import java.util.Optional;

/**
 * The header field of a request's bearer token. The URL and the body are never read. Nacos also reads a parameter {@code
 * accessToken}. The parameter appears in logs, and some versions of Nacos prefer the parameter to the header.
 */
public enum TokenHeader {
    /** The field {@code Authorization} (RFC 6750 section 2.1). */
    AUTHORIZATION {
        @Override
        public Optional<String> textIn(HeaderFields headers) {
            List<String> fields = headers.values("Authorization");
            return fields.size() == 1 && fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())
                    ? Optional.of(fields.get(0).substring(BEARER.length()))
                    : Optional.empty();
        }
    },
    /** The same, or else the field of Nacos clients. */
    AUTHORIZATION_OR_NACOS {
        @Override
        public Optional<String> textIn(HeaderFields headers) {
            Optional<String> bearer = AUTHORIZATION.textIn(headers);
            List<String> fields = headers.values("accessToken");
            return bearer.isEmpty() && fields.size() == 1 && !fields.get(0).isEmpty()
                    ? Optional.of(fields.get(0))
                    : bearer;
        }

        @Override
        boolean hasAnotherIn(HeaderFields headers) {
            Optional<String> bearer = AUTHORIZATION.textIn(headers);
            List<String> fields = headers.values("accessToken");
            return fields.size() > 1
                    || fields.stream().anyMatch(other -> bearer.isPresent() && !other.equals(bearer.get()));
        }
    };

    private static final String BEARER = "Bearer ";

    /**
     * The field for a service with these properties: with login answers in the form of Nacos, also the field of Nacos clients.
     *
     * @param properties of the service
     * @return for all requests of the service
     */
    public static TokenHeader of(LatchkeyProperties properties) {
        return properties.login().response() == ResponseShape.NACOS ? AUTHORIZATION_OR_NACOS : AUTHORIZATION;
    }

    /**
     * The token as sent, valid or not. Of several fields with the same name none is read, because each reader may choose another
     * field (RFC 9110 section 5.3).
     *
     * @param headers of the request
     * @return empty without a token
     */
    public abstract Optional<String> textIn(HeaderFields headers);

    /**
     * Whether there is a token, valid or not. A page of another origin cannot set such a field, so a request with the field is
     * not forged.
     *
     * @param headers of the request
     * @return true if {@link #textIn} finds a token
     */
    public boolean isIn(HeaderFields headers) {
        return textIn(headers).isPresent();
    }

    /** Whether there is a second token, or a field occurs twice. */
    boolean hasAnotherIn(HeaderFields headers) {
        return false;
    }
}
