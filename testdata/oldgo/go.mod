module mapguard.test/oldgo

go 1.20
