package dev.latchkey.auth.spring.endpoint;

import java.net.URI;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The issuer is an address as RFC 8414 section 2 wants it. Other issuers are names, and clients find nothing by them. */
final class OnIssuerAddress extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String issuer = context.getEnvironment().getProperty("latchkey.jwt.issuer", "");
        return new ConditionOutcome(isAddress(issuer), "latchkey.jwt.issuer is '" + issuer + "'");
    }

    private static boolean isAddress(String issuer) {
        try {
            URI address = URI.create(issuer);
            return ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))
                    && address.getHost() != null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null
                    // The path becomes part of a pattern.
                    && address.getRawPath().matches("[A-Za-z0-9/._~-]*");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
