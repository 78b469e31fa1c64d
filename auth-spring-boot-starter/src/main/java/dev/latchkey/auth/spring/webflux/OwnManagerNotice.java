package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.plugin.ReactiveLatchkeyPasswords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.authentication.ReactiveAuthenticationManager;

/** Logs at the start that the service's own manager does not ask the plugins, with the necessary line of code. */
final class OwnManagerNotice {

    private static final Logger LOG = LoggerFactory.getLogger(OwnManagerNotice.class);

    private OwnManagerNotice() {}

    static void log(ReactiveLatchkeyPasswords passwords, ListableBeanFactory beans) {
        boolean hasItsOwn = beans.getBeanNamesForType(ReactiveAuthenticationManager.class, true, false).length > 0;
        if (hasItsOwn
                && passwords.replacesSpringsManager()
                && !passwords.sourcesBesideUsers().isEmpty()) {
            LOG.info(
                    "HTTP Basic and forms do not ask the auth plugins {}, since the service has a ReactiveAuthenticationManager"
                            + " bean; to have them asked, inject LatchkeyWebFlux and write"
                            + " http.authenticationManager(latchkey.passwords())",
                    passwords.sourcesBesideUsers());
        }
    }
}
