package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;

/**
 * Answers for the resources {@code feature:<name>}, whatever the action: granted unless the account has a ban. While another
 * account acts as this account, a ban of either account denies: otherwise a banned supporter would use the feature as a customer.
 * Abstains for all other resources.
 */
final class FeaturePermissions implements PermissionSource {

    static final String NAME = "features";

    private static final String PREFIX = "feature:";

    private final FeatureBans bans;

    FeaturePermissions(FeatureBans bans) {
        this.bans = bans;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** A revocation store has its own time limits. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        if (!permission.resource().startsWith(PREFIX)) {
            return Access.ABSTAINED;
        }
        String feature = permission.resource().substring(PREFIX.length());
        return FeatureBans.isFeature(feature)
                        && mayUse(subject.id(), feature)
                        && subject.actor().map(actor -> mayUse(actor, feature)).orElse(true)
                ? Access.GRANTED
                : Access.DENIED;
    }

    private boolean mayUse(String account, String feature) {
        return Subject.isId(account) && bans.bannedUntil(account, feature).isEmpty();
    }
}
