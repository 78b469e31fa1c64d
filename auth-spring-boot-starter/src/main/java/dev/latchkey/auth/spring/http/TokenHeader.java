package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.util.List;
import java.util.Optional;

/**
 * Which header field carries a request's bearer token. It is never taken from the URL or the body, whatever they hold. Nacos reads a parameter
 * {@code accessToken} too, which ends in logs, and which some of its versions prefer to the header.
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
    /** The same, or else the field in which clients of Nacos send their token. */
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
     * The field of a service that is configured like this: where its logins are answered as clients of Nacos expect it, tokens are read where those
     * send them.
     *
     * @param properties of the service
     * @return for all requests of the service
     */
    public static TokenHeader of(LatchkeyProperties properties) {
        return properties.login().response() == ResponseShape.NACOS ? AUTHORIZATION_OR_NACOS : AUTHORIZATION;
    }

    /**
     * The token as it was sent, good or not. Of several fields of one name none is taken: which one counts would depend on who reads them (RFC 9110
     * section 5.3).
     *
     * @param headers of the request
     * @return empty where there is none
     */
    public abstract Optional<String> textIn(HeaderFields headers);

    /**
     * Whether there is a token, good or not. A foreign page cannot set such a field, so nothing that has one is forged.
     *
     * @param headers of the request
     * @return true where {@link #textIn} finds one
     */
    public boolean isIn(HeaderFields headers) {
        return textIn(headers).isPresent();
    }

    /** Whether there is another token than the one that is taken, or a field stands there twice. */
    boolean hasAnotherIn(HeaderFields headers) {
        return false;
    }
}
