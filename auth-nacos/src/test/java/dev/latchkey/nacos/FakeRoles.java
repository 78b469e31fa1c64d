package dev.latchkey.nacos;

import com.alibaba.nacos.api.model.Page;
import com.alibaba.nacos.api.model.v2.Result;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.impl.persistence.PermissionInfo;
import com.alibaba.nacos.plugin.auth.impl.persistence.RoleInfo;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The server's roles: the administrator, and whether all other users may do everything or nothing. */
final class FakeRoles implements NacosRoleService {

    final Set<String> administrators = ConcurrentHashMap.newKeySet();
    volatile boolean allowsAll;
    volatile boolean isDown;
    volatile @Nullable Error error;

    @Override
    public boolean hasPermission(NacosUser nacosUser, Permission permission) {
        if (isDown) {
            throw new IllegalStateException("no database");
        }
        return allowsAll;
    }

    @Override
    public boolean hasGlobalAdminRole(String userName) {
        Error thrown = error;
        if (thrown != null) {
            throw thrown;
        }
        if (isDown) {
            throw new IllegalStateException("no database");
        }
        return administrators.contains(userName);
    }

    @Override
    public boolean hasGlobalAdminRole() {
        if (isDown) {
            throw new IllegalStateException("no database");
        }
        return !administrators.isEmpty();
    }

    @Override
    public void addAdminRole(String username) {
        administrators.add(username);
    }

    @Override
    public void addPermission(String role, String resource, String action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void deletePermission(String role, String resource, String action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<PermissionInfo> getPermissions(String role) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<PermissionInfo> getPermissions(String role, int pageNo, int pageSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<PermissionInfo> findPermissions(String role, int pageNo, int pageSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result<Boolean> isDuplicatePermission(String role, String resource, String action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RoleInfo> getRoles(String username) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<RoleInfo> getRoles(String username, String role, int pageNo, int pageSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<RoleInfo> findRoles(String username, String role, int pageNo, int pageSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> findRoleNames(String role) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RoleInfo> getAllRoles() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void addRole(String role, String username) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void deleteRole(String role, String userName) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void deleteRole(String role) {
        throw new UnsupportedOperationException();
    }
}
