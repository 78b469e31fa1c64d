package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.Subject;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/** Tells logins of the owner from logins of an account that acts as the owner, see {@link Subject#actor}. */
final class ActingLogins {

    private static final boolean HAS_CLAIMS = ClassUtils.isPresent(
            "org.springframework.security.oauth2.core.ClaimAccessor", ActingLogins.class.getClassLoader());

    private ActingLogins() {}

    static boolean isActing(Principal user) {
        if (!(user instanceof Authentication login)) {
            return false;
        }
        if (login.getPrincipal() instanceof Subject subject) {
            return subject.actor().isPresent();
        }
        return HAS_CLAIMS && (Claims.haveActor(login.getPrincipal()) || Claims.haveActor(login.getCredentials()));
    }

    /** The claims in Spring's resource server, which has no {@link Subject}. */
    private static final class Claims {

        static boolean haveActor(@Nullable Object holder) {
            return (holder instanceof ClaimAccessor token && token.hasClaim(Subject.ACTOR_CLAIM))
                    || (holder instanceof OAuth2AuthenticatedPrincipal principal
                            && principal.getAttribute(Subject.ACTOR_CLAIM) != null);
        }
    }
}
