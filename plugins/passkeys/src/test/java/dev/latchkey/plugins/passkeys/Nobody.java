package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;

/** The first source, without an account: the sources after it have their names in the ids. */
final class Nobody implements LoginSource<PasswordCredentials> {

    @Override
    public String name() {
        return "nobody";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
        return Decision.abstained();
    }
}
