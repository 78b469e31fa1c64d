package dev.latchkey.plugins.codes.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.env.Environment;

/** Warns at the start that logins need no code, because {@code latchkey.enabled=false} switches off all of Latchkey. */
@AutoConfiguration
@ConditionalOnProperty(name = "latchkey.enabled", havingValue = "false")
public final class OneTimeCodesOffAutoConfiguration {

    private static final Logger LOG = System.getLogger(OneTimeCodesOffAutoConfiguration.class.getName());

    OneTimeCodesOffAutoConfiguration(Environment service) {
        String enabled = OneTimeCodesProperties.PREFIX + ".enabled";
        if (service.containsProperty(OneTimeCodesProperties.PREFIX + ".key-file")
                && service.getProperty(enabled, Boolean.class, true)) {
            LOG.log(
                    Level.WARNING,
                    "latchkey.enabled=false: no login needs a one-time code, and enrolled accounts log in with the password"
                            + " alone. If this is intended, set " + enabled + "=false");
        }
    }
}
