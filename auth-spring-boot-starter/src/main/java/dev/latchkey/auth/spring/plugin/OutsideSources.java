package dev.latchkey.auth.spring.plugin;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.saml2.provider.service.authentication.Saml2AuthenticatedPrincipal;
import org.springframework.security.saml2.provider.service.authentication.Saml2Authentication;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Login sources outside the plugins: providers of OAuth2, OpenID Connect and SAML. Their subjects are named {@code
 * oauth2:registration:id} and {@code saml2:registration:id}. The kind of the source stands first, because the registrations of a
 * service may change at run time.
 */
public final class OutsideSources {

    private static final String OAUTH2 = "oauth2";
    private static final String SAML2 = "saml2";
    private static final String REGISTRATION = "getRelyingPartyRegistrationId";

    private static final String OAUTH2_LOGIN =
            "org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken";
    private static final String SAML2_LOGIN =
            "org.springframework.security.saml2.provider.service.authentication.Saml2Authentication";
    private static final String SAML2_LOGIN_OF_7 =
            "org.springframework.security.saml2.provider.service.authentication.Saml2AssertionAuthentication";

    private static final boolean HAS_OAUTH2 = isPresent(OAUTH2_LOGIN);
    private static final boolean HAS_SAML2 = isPresent(SAML2_LOGIN);

    /**
     * An account at a source.
     *
     * @param source name of the source, with its registration
     * @param id the source's id of the account
     */
    public record Name(String source, String id) {}

    private OutsideSources() {}

    /**
     * All kinds of sources. This service may lack the libraries of a kind, and another service of the same name may have them.
     */
    static Set<String> kinds() {
        return Set.of(OAUTH2, SAML2);
    }

    /** Whether {@code latchkey.shared-subjects} may contain this name. */
    static boolean isOne(String source) {
        return kinds().stream().anyMatch(kind -> source.startsWith(kind + ":"));
    }

    /**
     * The account of a login at such a source.
     *
     * @param login of Spring Security
     * @return empty for every other login
     */
    public static Optional<Name> nameOf(Authentication login) {
        if (HAS_OAUTH2 && login instanceof OAuth2AuthenticationToken token) {
            return Optional.of(new Name(OAUTH2 + ":" + token.getAuthorizedClientRegistrationId(), token.getName()));
        }
        if (HAS_SAML2 && Saml.isOne(login)) {
            return Optional.of(new Name(SAML2 + ":" + Saml.registrationOf(login), login.getName()));
        }
        return Optional.empty();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OutsideSources.class.getClassLoader());
    }

    /** The logins of SAML providers, with the types of an optional module. */
    private static final class Saml {

        static boolean isOne(Authentication login) {
            return login instanceof Saml2Authentication || login.getPrincipal() instanceof Saml2AuthenticatedPrincipal;
        }

        /** In Spring Security 7, the login has the registration. In 6.5, the principal has the registration. */
        static String registrationOf(Authentication login) {
            if (login.getPrincipal() instanceof Saml2AuthenticatedPrincipal principal
                    && principal.getRelyingPartyRegistrationId() != null) {
                return principal.getRelyingPartyRegistrationId();
            }
            Method ofLogin = ClassUtils.getMethodIfAvailable(login.getClass(), REGISTRATION);
            if (ofLogin == null) {
                return "";
            }
            ReflectionUtils.makeAccessible(ofLogin);
            return Objects.toString(ReflectionUtils.invokeMethod(ofLogin, login), "");
        }
    }

    /** A native image finds only registered classes by name, and only registered methods. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            for (String type : List.of(OAUTH2_LOGIN, SAML2_LOGIN, SAML2_LOGIN_OF_7)) {
                hints.reflection().registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS);
            }
        }
    }
}
