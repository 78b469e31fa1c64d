package dev.latchkey.nacos.oidc;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;

/**
 * Reads the issuer's keys over HTTP, from the configured address or from the discovery document (OpenID Connect
 * Discovery 1.0 section 4).
 *
 * <p>Nimbus keeps the keys for five minutes. A request in the last minute reads the keys again in the background. An
 * unknown key id leads to another read, at most twice in 30 seconds. While the issuer does not answer, the last keys stay
 * in use for four hours, because clients cannot get new tokens in this time either.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {

    private static final String DISCOVERY = "/.well-known/openid-configuration";
    private static final int MOST_BYTES = 256 * 1024;
    private static final long KEPT = Duration.ofMinutes(5).toMillis();
    private static final long READ_AHEAD = Duration.ofMinutes(1).toMillis();
    private static final long BETWEEN_READS = Duration.ofSeconds(30).toMillis();
    private static final long OUTAGE = Duration.ofHours(4).toMillis() - KEPT;

    /** The longest wait of a server thread for another thread that reads the keys, in milliseconds. */
    private static final long LONGEST_WAIT = 500;

    private final OidcSettings settings;
    private final DefaultResourceRetriever http;

    private IssuerKeys(OidcSettings settings) {
        this.settings = settings;
        int millis = Math.toIntExact(settings.timeout().toMillis());
        this.http = new DefaultResourceRetriever(millis, millis, MOST_BYTES);
    }

    /** The keys, read when the first token arrives. */
    static JWKSource<SecurityContext> of(OidcSettings settings) {
        return JWKSourceBuilder.create(new IssuerKeys(settings))
                .cache(KEPT, LONGEST_WAIT)
                .refreshAheadCache(READ_AHEAD, false)
                .rateLimited(BETWEEN_READS)
                .outageTolerant(OUTAGE)
                .build();
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long currentTime, SecurityContext context)
            throws KeySourceException {
        try {
            URI configured = settings.jwksUri();
            return JWKSet.parse(read(configured == null ? discovered() : configured.toURL()));
        } catch (IOException | ParseException e) {
            throw new RemoteKeySourceException("The keys of " + settings.issuer() + " cannot be read", e);
        }
    }

    private URL discovered() throws IOException, ParseException {
        Map<String, Object> document =
                JSONObjectUtils.parse(read(new URL(settings.issuer().replaceAll("/$", "") + DISCOVERY)));
        if (!settings.issuer().equals(JSONObjectUtils.getString(document, "issuer"))) {
            throw new MalformedURLException("The discovery document is another issuer's");
        }
        URI keys = JSONObjectUtils.getURI(document, "jwks_uri");
        if (keys == null) {
            throw new MalformedURLException("The discovery document has no jwks_uri");
        }
        if (!OidcSettings.isPrivate(keys)) {
            throw new MalformedURLException(
                    "The discovery document's jwks_uri is " + keys
                            + ", and keys are read over https only; put an https address of the keys into the setting jwks-uri");
        }
        return keys.toURL();
    }

    private String read(URL url) throws IOException {
        return http.retrieveResource(url).getContent();
    }

    @Override
    public void close() {
        // No connection stays open.
    }
}
