package dev.latchkey.nacos.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import dev.latchkey.auth.PluginConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one issuer.
 *
 * @param issuer the exact value of {@code iss}
 * @param audiences one of them must be in {@code aud}
 * @param jwksUri of the issuer's keys; null for the address in the issuer's discovery document
 * @param algorithms of signatures; never a symmetric one
 * @param subjectClaim the claim with the subject's id
 * @param authorities paths of claims whose values are authorities
 * @param claims paths of claims for rules, by name
 * @param skew the allowed difference between clocks
 * @param timeout for a connection to the issuer, and again for an answer
 */
record OidcSettings(
        String issuer,
        Set<String> audiences,
        @Nullable URI jwksUri,
        Set<JWSAlgorithm> algorithms,
        String subjectClaim,
        List<String> authorities,
        Map<String, String> claims,
        Duration skew,
        Duration timeout) {

    private static final String ISSUER = "issuer";
    private static final String AUDIENCE = "audience";
    private static final String JWKS_URI = "jwks-uri";
    private static final String ALGORITHMS = "algorithms";
    private static final String CLAIMS = "claims";
    private static final String SKEW = "clock-skew";
    private static final String TIMEOUT = "timeout";

    private static final Duration MOST_SKEW = Duration.ofMinutes(5);
    private static final Duration MOST_TIMEOUT = Duration.ofSeconds(30);

    static OidcSettings of(PluginConfig config) {
        String issuer = config.text(ISSUER).orElseThrow(config.missing(ISSUER));
        URI unused = requireSafe(config, ISSUER, issuer);
        Set<String> audiences = new LinkedHashSet<>(list(config, AUDIENCE));
        if (audiences.isEmpty()) {
            throw config.missing(AUDIENCE).get();
        }
        Optional<URI> jwks = config.text(JWKS_URI).map(uri -> requireSafe(config, JWKS_URI, uri));
        List<String> authorities = list(config, "authorities-claims");
        return new OidcSettings(
                issuer,
                audiences,
                jwks.orElse(null),
                algorithms(config),
                config.text("subject-claim").orElse("sub"),
                authorities.isEmpty() ? List.of("scope") : authorities,
                claims(config),
                atMost(config, SKEW, Duration.ofSeconds(30), MOST_SKEW),
                atMost(config, TIMEOUT, Duration.ofSeconds(2), MOST_TIMEOUT));
    }

    private static Set<JWSAlgorithm> algorithms(PluginConfig config) {
        Set<JWSAlgorithm> known = new LinkedHashSet<>(JWSAlgorithm.Family.RSA);
        known.addAll(JWSAlgorithm.Family.EC);
        List<String> chosen = list(config, ALGORITHMS);
        if (chosen.isEmpty()) {
            return Set.copyOf(known);
        }
        Set<JWSAlgorithm> algorithms = new LinkedHashSet<>();
        for (String name : chosen) {
            JWSAlgorithm algorithm = JWSAlgorithm.parse(name);
            if (!known.contains(algorithm)) {
                throw config.wrong(ALGORITHMS, "a list of RS256, PS256, ES256 and their kin");
            }
            algorithms.add(algorithm);
        }
        return Set.copyOf(algorithms);
    }

    private static Map<String, String> claims(PluginConfig config) {
        Map<String, String> claims = new LinkedHashMap<>();
        for (String each : list(config, CLAIMS)) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals).trim();
            String path = equals < 0 ? each : each.substring(equals + 1).trim();
            if (name.isEmpty() || path.isEmpty()) {
                throw config.wrong(CLAIMS, "a list of name=path, such as team=org.team");
            }
            claims.put(name, path);
        }
        return claims;
    }

    /** Keys that come over an open network could be anybody's. */
    private static URI requireSafe(PluginConfig config, String key, String text) {
        try {
            URI uri = new URI(text);
            boolean isSafe = "https".equalsIgnoreCase(uri.getScheme())
                    || ("http".equalsIgnoreCase(uri.getScheme()) && isLoopback(uri.getHost()));
            if (isSafe && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below, with the right form.
        }
        throw config.wrong(key, "an https:// address without query and fragment; http:// only of this machine");
    }

    private static boolean isLoopback(@Nullable String host) {
        try {
            return host != null
                    && (host.equals("localhost") || host.matches("[0-9.]+|\\[.*]"))
                    && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Duration atMost(PluginConfig config, String key, Duration usual, Duration most) {
        Duration chosen = config.duration(key).orElse(usual);
        if (chosen.isNegative() || chosen.compareTo(most) > 0) {
            throw config.wrong(key, "at most " + most.toSeconds() + "s");
        }
        return chosen;
    }

    private static List<String> list(PluginConfig config, String key) {
        return config.text(key).stream()
                .flatMap(text -> Stream.of(text.split(",", -1)))
                .map(String::trim)
                .filter(each -> !each.isEmpty())
                .toList();
    }
}
