package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;

/** Permissions by an authority, and no other role. */
class RolePermissions implements PermissionSource {

    @Override
    public String name() {
        return "roles";
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        return subject.authorities().contains("ROLE_CLERK") && isOrders(permission) ? Access.GRANTED : Access.ABSTAINED;
    }

    boolean isOrders(Permission permission) {
        return permission.resource().equals("orders") && permission.action().equals("read");
    }
}
