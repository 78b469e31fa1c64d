package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.springframework.context.ApplicationContext;

/** Knows {@code bob} and bob's password, and no other account; fails as a test decides. */
final class Directory implements LoginSource<PasswordCredentials> {

    static final String BOBS_PASSWORD = "of the directory";

    /** Each name that it was asked about, with the address and the tenant. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    volatile Supplier<Decision> bob = () -> Authenticated.as(Subject.of("bob").withAuthorities("ROLE_STAFF"));

    /** The id that the service's chain gives to bob. */
    static String idOfBob(ApplicationContext service) {
        Verdict verdict = service.getBean(AuthChain.class)
                .authenticate(new PasswordCredentials("bob", Secret.of(BOBS_PASSWORD)), RequestContext.none());
        return ((Authenticated) verdict).subject().id();
    }

    @Override
    public String name() {
        return "directory";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials given, RequestContext context) {
        asked.add(given.username() + " " + context.address().orElse("") + " "
                + context.tenant().orElse(""));
        if (!given.username().equals("bob")) {
            return Decision.abstained();
        }
        return given.password().withText(BOBS_PASSWORD::contentEquals)
                ? bob.get()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }
}
