package dev.latchkey.nacos.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one issuer.
 *
 * @param issuer the exact value of {@code iss}
 * @param audiences names of this server; one name must be in {@code aud}
 * @param jwksUri of the issuer's keys; null for the address in the issuer's discovery document
 * @param algorithms of signatures; never a symmetric algorithm
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

    private static final String URI_RULE =
            "an https:// address without query and fragment; http:// only of this machine";

    private static final Set<JWSAlgorithm> KNOWN = known();

    private static final PluginSetting<String> ISSUER = PluginSetting.text("issuer", "the exact value of iss")
            .must(text -> isSafe(URI.create(text)), URI_RULE)
            .required();

    private static final PluginSetting<List<String>> AUDIENCE = PluginSetting.list(
                    "audience", "names of this server, one of them in aud")
            .required();

    private static final PluginSetting<URI> JWKS_URI = PluginSetting.text(
                    "jwks-uri", "the issuer's keys; the address in the issuer's discovery document by default")
            .as(URI_RULE, URI::create)
            .must(OidcSettings::isSafe, URI_RULE);

    private static final PluginSetting<Set<JWSAlgorithm>> ALGORITHMS = PluginSetting.list(
                    "algorithms", "the accepted algorithms of signatures; all with a public key by default")
            .<Set<JWSAlgorithm>>as(
                    "a list of RS256, PS256, ES256 and their kin",
                    names -> names.stream().map(JWSAlgorithm::parse).collect(Collectors.toUnmodifiableSet()))
            .must(KNOWN::containsAll, "a list of RS256, PS256, ES256 and their kin");

    private static final PluginSetting<String> SUBJECT = PluginSetting.text(
                    "subject-claim", "the claim with the subject's id")
            .withDefault("sub");

    private static final PluginSetting<List<String>> AUTHORITIES = PluginSetting.list(
                    "authorities-claims", "paths of claims with authorities as their values")
            .withDefault("scope");

    private static final PluginSetting<Map<String, String>> CLAIMS = PluginSetting.list(
                    "claims", "paths of claims for rules, by name")
            .as("a list of name=path, such as team=org.team", OidcSettings::claims);

    private static final PluginSetting<Duration> SKEW = PluginSetting.duration(
                    "clock-skew", "the allowed difference between clocks")
            .within("0s", "5m")
            .withDefault("30s");

    private static final PluginSetting<Duration> TIMEOUT = PluginSetting.duration(
                    "timeout", "the time limit for a connection to the issuer, and again for an answer")
            .within("1ms", "30s")
            .withDefault("2s");

    static final List<PluginSetting<?>> ALL =
            List.of(ISSUER, AUDIENCE, JWKS_URI, ALGORITHMS, SUBJECT, AUTHORITIES, CLAIMS, SKEW, TIMEOUT);

    static OidcSettings of(PluginEnvironment environment) {
        return new OidcSettings(
                environment.get(ISSUER),
                new LinkedHashSet<>(environment.get(AUDIENCE)),
                environment.find(JWKS_URI).orElse(null),
                environment.find(ALGORITHMS).orElse(KNOWN),
                environment.get(SUBJECT),
                environment.get(AUTHORITIES),
                environment.find(CLAIMS).orElse(Map.of()),
                environment.get(SKEW),
                environment.get(TIMEOUT));
    }

    private static Set<JWSAlgorithm> known() {
        Set<JWSAlgorithm> known = new LinkedHashSet<>(JWSAlgorithm.Family.RSA);
        known.addAll(JWSAlgorithm.Family.EC);
        return Set.copyOf(known);
    }

    private static Map<String, String> claims(List<String> pairs) {
        Map<String, String> claims = new LinkedHashMap<>();
        for (String each : pairs) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals).trim();
            String path = equals < 0 ? each : each.substring(equals + 1).trim();
            if (name.isEmpty() || path.isEmpty()) {
                throw new IllegalArgumentException("No pair of a name and a path");
            }
            claims.put(name, path);
        }
        return claims;
    }

    private static boolean isSafe(URI uri) {
        return isPrivate(uri) && uri.getRawQuery() == null && uri.getRawFragment() == null;
    }

    /**
     * Whether the address is https, or http on this machine. On an unencrypted network, an attacker could replace the
     * keys.
     */
    static boolean isPrivate(URI uri) {
        return uri.getHost() != null
                && ("https".equalsIgnoreCase(uri.getScheme())
                        || ("http".equalsIgnoreCase(uri.getScheme()) && isLoopback(uri.getHost())));
    }

    private static boolean isLoopback(String host) {
        try {
            return (host.equals("localhost") || host.matches("[0-9.]+|\\[.*]"))
                    && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
