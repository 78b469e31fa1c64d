package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.http.HttpMethod;

/**
 * The addresses and abilities of the OAuth endpoints, for clients that know only the issuer (RFC 8414). The issuer is the public
 * address of the service. By section 3, the path of the issuer, without a slash at the end, follows the well-known path.
 */
final class MetadataEndpoint implements AuthEndpoint {

    private final LatchkeyProperties.Login settings;
    private final boolean hasClients;
    private final String issuer;
    private final Answer answer;

    /** @param issuer an address of HTTP or HTTPS without a query and a fragment */
    MetadataEndpoint(LatchkeyProperties.Login settings, OAuthClients clients, String issuer) {
        this.settings = settings;
        this.hasClients = !clients.isEmpty();
        this.issuer = issuer;
        this.answer = Answer.ofJson(JsonText.of(metadata()).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public HttpMethod method() {
        return HttpMethod.GET;
    }

    @Override
    public String path() {
        return "/.well-known/oauth-authorization-server"
                + withoutLastSlash(URI.create(issuer).getRawPath());
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return answer;
    }

    private Map<String, Object> metadata() {
        String base = withoutLastSlash(issuer) + settings.basePath();
        List<String> authentication =
                hasClients ? List.of("none", "client_secret_basic", "client_secret_post") : List.of("none");
        List<String> grants = new ArrayList<>();
        if (settings.passwordGrant()) {
            grants.add("password");
        }
        if (settings.refresh().enabled()) {
            grants.add("refresh_token");
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("issuer", issuer);
        metadata.put("token_endpoint", base + "/token");
        metadata.put("token_endpoint_auth_methods_supported", authentication);
        metadata.put("grant_types_supported", grants);
        // Required by section 2. There is no authorization endpoint.
        metadata.put("response_types_supported", List.of());
        metadata.put("revocation_endpoint", base + "/revoke");
        metadata.put("revocation_endpoint_auth_methods_supported", authentication);
        if (settings.introspection()) {
            metadata.put("introspection_endpoint", base + "/introspect");
            metadata.put(
                    "introspection_endpoint_auth_methods_supported",
                    List.of("client_secret_basic", "client_secret_post"));
        }
        return metadata;
    }

    private static String withoutLastSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /**
     * Matches if the issuer is an address as in RFC 8414 section 2, also with {@code http}. Any other issuer is a name, and
     * clients cannot find the metadata by a name.
     */
    static final class OnIssuerAddress extends SpringBootCondition {

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
}
